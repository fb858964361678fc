// What a program does for its page, done in the page: requests of players become calls that the wallet
// signs, or signatures of the session key.

import { SWAP } from '../state/moves-of.js';
import { isFast, isGame } from '../state/seats.js';
import { current } from '../store.js';
import { texts } from '../words/host.js';
import { addressOf, typedAddress } from './account.js';
import { amount, inContracts } from './amounts.js';
import { ownNode, read, shownChallenge, timeOfBlock } from './chain.js';
import { timeOfChain } from './chain-time.js';
import { WalletError } from './ethereum.js';
import { newKey, tableOf } from './fast.js';
import { send } from './send.js';
import { session } from './session.js';
import { answered, safely } from './stake.js';
import { checkGame } from './verify.js';
import { ask } from './wasm.js';

/** @import { Call } from '../ask.d.ts' */
/** @import { AnswerChallenge, GameId, Landed, MakeChallenge, MakeMove, OfferNext, Perform, StartGame, Withdraw } from '../wire.d.ts' */

/** What only programs do. @returns {Promise<never>} */
async function never() {
	throw new WalletError(texts.notOnHost, 'failed');
}

export { never as openTable, never as setComputer };

/** Encodes a call. @param {string} message @param {object} [values] */
const call = (message, values = {}) =>
	ask({ call: /** @type {Call} */ (/** @type {unknown} */ ({ [message]: values })) });

/** The event of a kind, if there is one. @param {Landed} landed @param {string} event @returns {any} */
const find = ({ events }, event) => events.find((one) => /** @type {any} */ (one).event === event);

/** The event of a kind, which a transaction that has succeeded has. @param {Landed} landed @param {string} event */
function told(landed, event) {
	const found = find(landed, event);
	if (found) return found;
	throw new WalletError(texts.doneUntold, 'failed');
}

/** @param {Landed} landed */
const receipt = ({ transaction }) => ({ transaction: { ...transaction, deposit: '0' } });

/** @param {StartGame} asked */
export async function startGame({ terms, seats }) {
	const [one, two] = await Promise.all(seats.map(({ account }) => typedAddress(account)));
	const values = { player_one: one, player_two: two, shape: terms.shape };
	const landed = await send(texts.startGame, await call('start_game', values));
	return { game: told(landed, 'started').game };
}

/** @param {MakeChallenge} asked */
export async function challenge({
	opponent,
	first,
	shape,
	clock,
	stake,
	fast,
	pie_rule = false,
	expires_in: expires = 86_400,
}) {
	const payment = stake ? amount(stake) : 0n;
	const key = fast ? await newKey({ shape, clock, stake: inContracts(payment), pie_rule }) : null;
	const begins = first === 'random' ? randomBit() : first === 'me';
	const encoded = await call('make_challenge', {
		opponent: opponent ? await typedAddress(opponent) : null,
		challenger_first: begins,
		shape,
		clock,
		expires: expires === null ? null : (await timeOfChain(ownTime)) + expires,
		key,
		pie_rule,
	});
	const landed = await send(
		opponent ? texts.challengeTo(opponent) : texts.challengeAnyone,
		encoded,
		{ payment },
	);
	return { challenge: told(landed, 'challenge').challenge };
}

/** The time of the newest block, by a node that is no host's: another one could have a challenge stay open for longer. */
const ownTime = async () => (ownNode() ? timeOfBlock() : null);

/** @param {number} number @param {AnswerChallenge} asked */
export async function answer(number, { act, stake }) {
	if (act === 'decline' || act === 'cancel') {
		const what = act === 'cancel' ? texts.cancelChallenge : texts.declineChallenge;
		await send(what, await call(act, { challenge: number }));
		return { game: null };
	}
	// What is accepted is what was shown, or the contract refuses.
	const seen = shownChallenge(number);
	const { shape, clock, pie_rule } = seen;
	const key = seen.key ? await newKey({ shape, clock, stake: seen.stake, pie_rule }) : null;
	const payment = BigInt(stake ?? 0);
	const encoded = await call('accept', { challenge: number, key, seen });
	const landed = await send(texts.acceptChallenge(number), encoded, { payment });
	return { game: told(landed, 'match').game };
}

/** @param {GameId} game @param {MakeMove} asked */
export async function move(game, { move: asked }) {
	const isSwap = asked.kind === 'swap' && isFast(game);
	if (asked.kind !== 'drop' && !isSwap) return never();
	const bin = asked.kind === 'drop' ? asked.bin : SWAP;
	const table = isFast(game) ? await tableOf(game) : null;
	if (table) {
		await (isSwap ? table.swap() : table.drop(bin));
		return { transaction: null };
	}
	await checkGame(game);
	const encoded = await call(isFast(game) ? 'drop_fast' : 'drop_disc', { game, bin });
	const how = await safely(game);
	const what = isSwap ? texts.takeOver(game) : texts.dropDisc(bin + 1, game);
	const landed = await send(what, encoded, how);
	told(landed, 'dropped');
	return receipt(landed);
}

/** Actions in a game as the player reads them. @type {Record<string, (game: string) => string>} */
const ACTIONS = {
	resign: texts.resignIn,
	claim_timeout: texts.claimIn,
	press: texts.pressIn,
	offer_draw: texts.offerDrawIn,
	accept_draw: texts.acceptDrawIn,
	decline_draw: texts.declineDrawIn,
	decline_rematch: texts.declineNextIn,
};
/** Actions that a player takes because of the board and the offers that are shown. */
const ON_BOARD = ['resign', 'offer_draw', 'accept_draw'];
/** What fast games call their messages. @type {Record<string, string>} */
const FAST = {
	resign: 'resign_fast',
	claim_timeout: 'claim_fast_timeout',
	press: 'press',
	decline_rematch: 'decline_fast_rematch',
};

/** @param {GameId} game @param {Perform} asked */
export async function act(game, { act: action }) {
	const table = isFast(game) ? await tableOf(game) : null;
	if (action === 'settle') {
		if (table) return receipt(await table.settle());
		throw new WalletError(texts.signedNotHere, 'failed');
	}
	if (table && (await table.act(action))) return { transaction: null };
	const message = isFast(game) ? FAST[action] : action;
	const what = ACTIONS[action];
	if (!what || !message) throw new WalletError(texts.notInGame, 'failed');
	const isOnBoard = ON_BOARD.includes(action);
	if (isOnBoard) await checkGame(game);
	const answers = isOnBoard ? answered(game) : null;
	const landed = await send(what(game), await call(message, { game }), { answers });
	return receipt(landed);
}

/** @param {GameId} game @param {OfferNext} asked */
export async function next(game, { stake }) {
	await checkGame(game);
	const state = await read(isFast(game) ? 'fast_match_of' : 'match_of', { game });
	const payment = BigInt(stake ?? 0);
	const answers = answered(game);
	const accepts = state.match.rematch !== null;
	const encoded = isFast(game)
		? await call(accepts ? 'accept_fast_rematch' : 'offer_fast_rematch', {
				game,
				key: await newKey({ ...shownTerms(game), stake: inContracts(payment) }),
			})
		: await call(accepts ? 'accept_rematch' : 'offer_rematch', { game });
	const landed = await send(texts.anotherGame(game), encoded, { payment, answers });
	return { game: find(landed, 'match')?.game ?? null };
}

/** Board, clock and pie rule of a game as it is shown, which its rematch has too. @param {GameId} game */
function shownTerms(game) {
	const { view } = current();
	if (view?.game !== game || !isGame(view) || !view.match) {
		throw new WalletError(texts.lookFirst, 'failed');
	}
	const { shape, pie_rule } = view.terms;
	return { shape, clock: view.match.clock, pie_rule };
}

/** @param {Withdraw} asked */
export async function withdraw({ games }) {
	const { account } = session;
	const me = account && (await addressOf(account));
	/** @type {Landed | null} */
	let last = null;
	const fast = await read('fast_credit_of', { account: me }).catch(() => null);
	if (fast && BigInt(fast.amount) > 0n) {
		last = await send(texts.withdrawFast, await call('withdraw_fast'));
	}
	const owed = await read('credit_of', { account: me }).catch(() => null);
	const plain = games.filter((game) => !isFast(game));
	if (!last || plain.length || (owed && BigInt(owed.amount) > 0n)) {
		last = await send(texts.withdraw, await call('withdraw', { games: plain }));
	}
	return receipt(last);
}

const randomBit = () => (crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) % 2 === 0;
