// The lists of the lobby: games and open challenges.

import { answers, termsText } from '../state/challenges.js';
import { accountOf, nameOf } from '../state/seats.js';
import { amountText } from '../state/text.js';
import { byId, disc, el, find, setText, show } from './elements.js';

/**
 * @import {
 *   Challenge, ChallengeAnswer, Colour, Hello, Lists, Pending, State, Summary, Waiting, Who,
 * } from '../state/types.d.ts'
 */

/** @type {Pick<State, 'hello' | 'games' | 'pending' | 'waits'> | null} */
let shown = null;

/** @param {State} state */
export function renderLobby({ hello, games, pending, waits }) {
	if (shown?.games !== games) renderGames(games);
	const isSame =
		shown?.hello === hello &&
		shown?.games === games &&
		Boolean(shown?.pending) === Boolean(pending) &&
		shown?.waits === waits;
	if (!isSame && hello) renderChallenges(hello, games?.challenges ?? [], pending, waits);
	shown = { hello, games, pending, waits };
}

/**
 * Watches the buttons of challenges.
 * @param {(challenge: number, body: ChallengeAnswer) => void} answer
 */
export function watchLobby(answer) {
	byId('challenges').addEventListener('click', ({ target }) => {
		const button = /** @type {Element} */ (target).closest('button');
		if (!button) return;
		const { act, challenge, account = '', stake } = button.dataset;
		answer(Number(challenge), {
			act: /** @type {ChallengeAnswer['act']} */ (act),
			account,
			stake: stake || null,
		});
	});
}

/**
 * @param {Hello} hello @param {Challenge[]} open
 * @param {Pending | null} pending @param {Waiting | null} waits
 */
function renderChallenges(hello, open, pending, waits) {
	show(byId('challenges'), open.length);
	const items = open.map((challenge) =>
		challengeItem(challenge, hello, pending, waits?.challenge === challenge.challenge),
	);
	find(byId('challenges'), 'ul').replaceChildren(...items);
}

/**
 * @param {Challenge} challenge @param {Hello} hello
 * @param {Pending | null} pending
 * @param {boolean} waiting whether this browser waits for somebody to accept it
 */
function challengeItem(challenge, hello, pending, waiting) {
	const { challenger, opponent, challenge: number, stake } = challenge;
	const can = answers(hello, challenge);
	/** @param {ChallengeAnswer['act']} act @param {string} words @param {string} kind */
	const button = (act, words, kind = '') => {
		const attributes = {
			class: `button small ${kind}`,
			'data-act': act,
			'data-challenge': number,
			'data-account': can[act],
			'data-stake': act === 'accept' ? stake : null,
			disabled: pending ? '' : null,
		};
		return can[act] ? [el('button', attributes, words)] : [];
	};
	const accepts = accountOf(hello, can.accept);
	const acceptAs = accepts ? `Accept as ${nameOf(accepts)}` : '';
	const whom = opponent ? nameOf(opponent) : 'anyone';
	const buttons = [
		...(waiting ? [] : button('accept', withStake(acceptAs, stake), 'primary')),
		...(waiting ? [] : button('decline', 'Decline')),
		...button('cancel', 'Cancel'),
	];
	return el(
		'li',
		{},
		el(
			'span',
			{},
			el('b', {}, nameOf(challenger)),
			` challenges ${whom}${waiting ? ' (waiting)' : ''}`,
		),
		el('span', { class: 'quiet' }, termsText(challenge)),
		el('span', { class: 'row' }, ...buttons),
	);
}

/** @param {string} words @param {string | null} stake */
const withStake = (words, stake) => (stake ? `${words}, pay ${amountText(stake)}` : words);

/** @param {Lists | null} lists */
function renderGames(lists) {
	const { count, games } = lists ?? { count: 0, games: [] };
	show(byId('no-games'), lists && !count);
	const isPart = count > games.length;
	setText(byId('games-count'), isPart ? `the newest ${games.length} of ${count}` : '');
	byId('games').replaceChildren(...games.map(gameItem));
}

/** @param {Summary} summary */
function gameItem(summary) {
	const { game, freed, over, standing } = summary;
	return el(
		'li',
		{},
		el(
			'a',
			{ href: `/game/${game}`, class: over || freed ? 'over' : null },
			el('span', { class: 'id' }, `#${game}`),
			pair(summary),
			el('span', { class: 'standing' }, standing),
			el('span', { class: 'shape' }, size(summary)),
		),
	);
}

/** @param {Summary} summary */
function pair({ red, blue, to_move: mover }) {
	if (!red || !blue) return el('span', { class: 'pair quiet' }, 'freed');
	/** @param {Colour} colour @param {Who} account */
	const player = (colour, account) =>
		el(
			'span',
			{ class: mover === colour ? 'who turn' : 'who', title: account.address },
			disc(colour),
			el('span', {}, nameOf(account)),
		);
	return el('span', { class: 'pair' }, player('red', red), player('blue', blue));
}

/** @param {Summary} summary */
const size = ({ shape, turns }) =>
	shape ? `${shape.bins}×${shape.capacity} · ${turns} ${turns === 1 ? 'move' : 'moves'}` : '';
