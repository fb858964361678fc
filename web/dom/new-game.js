// The forms of the lobby for the classic game: a new game, and moves as text.

import { late } from '../late.js';
import { accountName } from '../state/account-name.js';
import { classic } from '../state/classic.js';
import { LEAST_BANK, USUAL_CLOCK } from '../state/clock.js';
import { hasLobby } from '../state/hello.js';
import { fragmentIn, offerOf } from '../state/invite.js';
import { other } from '../state/seats.js';
import { exactAmount, reason, short } from '../state/text.js';
import { capital } from '../words/forms.js';
import { texts } from '../words/page.js';
import { button, byId, el, find, form, levelSelect, setData, setText, show } from './elements.js';

/** @import { StartHere, State, Wish } from '../state/types.d.ts'
 * @import { Colour, Hello, StartGame, Shape } from '../wire.d.ts' */
/** @import { FormHandlers } from './types.d.ts' */

const game = form('new-game');
const imported = form('import');
const OWN = 'own';
/** @type {(keyof Shape)[]} The fields of a board of one's own. */
const NUMBERS = ['bins', 'capacity', 'line'];
/** @type {('red' | 'blue')[]} */
const PAIR = ['red', 'blue'];

// Both forms ask for a board in the same way.
imported.board.append(...game.board.cloneNode(true).options);
imported.board.selectedIndex = 0;
game.time.value = `${USUAL_CLOCK.bank},${USUAL_CLOCK.increment}`;
find(imported, '.fields').after(find(game, '.own').cloneNode(true));

/** @type {Hello | null} */
let shown = null;
let chosen = false; // whether the player chose the accounts

/** @param {State} state */
export function renderForms({ hello, pending }) {
	if (hello && shown !== hello) renderHello(hello);
	button('start').disabled = Boolean(pending);
	nameStart();
}

/** Whether games at this screen are transactions of a program's accounts, and not the page's own. @param {Hello} hello */
const isOwner = ({ host, public: isPublic, accounts }) => host && !isPublic && accounts.length > 0;

/** Whether the game is one of this page, on no chain. */
const isOfPage = () => shown && !isOwner(shown) && ['screen', 'computer'].includes(game.way.value);

/** Whether it is played against somebody whom the lobby of a relay finds. */
const isByTerms = () => game.way.value === 'anyone';

/** Whether it is played against a friend who opens a link, by signed terms. */
const isInvite = () => game.way.value === 'friend' && game.friend.value === 'invite';

/** Whether what is chosen needs a wallet, and none is connected. */
const lacksWallet = () =>
	Boolean(shown?.public && !shown.accounts.length) && !isOfPage() && !isByTerms() && !isInvite();

/** @param {FormHandlers} on */
export function watchForms(on) {
	game.addEventListener('change', ({ target }) => {
		const { name } = /** @type {HTMLInputElement} */ (target);
		chooseAccounts(name);
		arrange();
		if (isByTerms() || isInvite()) on.signed();
	});
	game.bet.addEventListener('input', arrange);
	game.addEventListener('submit', (event) => {
		event.preventDefault();
		if (isByTerms()) on.play(newWish());
		else if (isInvite()) on.invite(newWish());
		else if (lacksWallet()) document.getElementById('wallet-open')?.click();
		else if (isOfPage()) on.here(newHere());
		else on.start(...newGame());
	});
	byId('which-game').addEventListener('change', async ({ target }) => {
		const { value } = /** @type {HTMLInputElement} */ (target);
		if (value === 'variant') await on.variants();
		setData(byId('new'), 'game', value);
	});
	watchImport(on);
}

function nameStart() {
	const { disabled } = button('start');
	let text = texts.start;
	if (disabled) text = texts.starting;
	else if (lacksWallet()) text = texts.connectWallet;
	else if (isByTerms()) text = texts.play;
	else if (isInvite()) text = texts.makeLink;
	else if (isOfPage() && game.way.value === 'computer') text = texts.playComputer;
	setText(byId('start'), text);
}

/** The seat of a friend who plays with an account of their own. @returns {Colour | null} */
const friendSeat = () =>
	game.way.value === 'friend' && game.friend.value === 'account' ? other(game.seat.value) : null;

/** @param {Hello} hello */
function renderHello(hello) {
	const { accounts, public: isPublic } = hello;
	const meets = hasLobby(hello);
	// With a single account, the opponent has to be somebody with another one.
	const owned = isOwner(hello) ? accounts.length : 0;
	show(game, true);
	show(byId('which-game'), isPublic || owned);
	setText(byId('watcher'), isPublic ? texts.connectToPlay : watcherText(hello));
	show(byId('watcher'), !isPublic && !owned);
	for (const field of document.querySelectorAll('.own input')) {
		const number = /** @type {HTMLInputElement} */ (field);
		const name = /** @type {keyof Shape} */ (number.name);
		number.min = String(hello.shape.least[name]);
		number.max = String(hello.shape.most[name]);
		number.value ||= String(hello.shape.standard[name]);
	}
	// Only what it is about needs a wallet.
	if (isPublic) find(game, '.ways').after(byId('watcher'));
	show(byId('way-anyone'), meets);
	const isPair = owned !== 1;
	if (!shown) game.way.value = firstWay({ meets, owned });
	else if (!isPair && ['screen', 'computer'].includes(game.way.value)) game.way.value = 'friend';
	for (const way of ['screen', 'computer']) {
		const choice = find(game, `[name="way"][value="${way}"]`, HTMLInputElement);
		choice.disabled = !isPair;
	}
	/** @type {Record<string, boolean>} By what a friend can play. */
	const by = { seat: owned > 1, invite: meets, account: isPublic || owned > 0 };
	for (const option of game.friend.options) option.disabled = option.hidden = !by[option.value];
	find(game, '[name=way][value=friend]', HTMLInputElement).disabled =
		!Object.values(by).some(Boolean);
	if (!by[game.friend.value]) {
		game.friend.value = Object.keys(by).find((way) => by[way]) ?? 'account';
	}
	if (isPublic || owned) fillAccounts(hello);
	if (!game.level.length) {
		game.level.append(...levelSelect(hello.levels, {}).options);
		game.level.value = 'medium';
	}
	shown = hello;
	arrange();
}

/** The way that is proposed first. @param {{ meets: boolean, owned: number }} of */
function firstWay({ meets, owned }) {
	if (owned) return owned > 1 ? 'screen' : 'friend';
	return meets ? 'anyone' : 'computer';
}

/** @param {Hello} hello */
function watcherText(hello) {
	const [account] = hello.accounts;
	if (account) return texts.playsFor(account.name ?? accountName(account.address));
	if (hello.host) return texts.nothingOwned;
	return hasLobby(hello) ? texts.onlyGuest : texts.onlyWatches;
}

/** @param {Hello} hello */
function fillAccounts({ accounts, chain }) {
	for (const select of [game.red, game.blue]) {
		const before = select.value;
		const options = accounts.map(({ name, address, balance }) => {
			const funds = balance && exactAmount(balance, chain);
			const text = [name ?? accountName(address), short(address), funds]
				.filter(Boolean)
				.join(' · ');
			return el('option', { value: address, title: address }, text);
		});
		select.replaceChildren(...options);
		if (accounts.some(({ address }) => address === before)) select.value = before;
	}
}

/** @param {string} name the field that the player changed */
function chooseAccounts(name) {
	if (name === 'red' || name === 'blue') {
		const [mine, theirs] = name === 'red' ? [game.red, game.blue] : [game.blue, game.red];
		chosen = true;
		// An account plays one seat only: the other seat gets another one.
		if (mine.value === theirs.value) {
			/** @type {HTMLOptionElement[]} */
			const options = [...theirs.options];
			theirs.selectedIndex = options.findIndex(({ value }) => value !== mine.value);
		}
	}
	if (name === 'begins' && chosen) {
		[game.red.value, game.blue.value] = [game.blue.value, game.red.value];
	}
}

// Shows the fields that belong to what is chosen. By default the computer has the second account.
function arrange() {
	const way = game.way.value;
	const lacks = lacksWallet();
	for (const part of game.querySelectorAll('[data-way]')) {
		const fields = /** @type {HTMLElement} */ (part);
		show(fields, fields.dataset.way === way && (!lacks || way === 'friend'));
	}
	if (shown?.public) show(byId('watcher'), lacks);
	choosePool();
	for (const asks of [game, imported]) {
		const own = asks.board.value === OWN;
		show(find(asks, '.own'), own);
		for (const name of NUMBERS) asks[name].disabled = !own;
	}
	const theirs = friendSeat();
	show(byId('friend-account'), theirs);
	const isWish = isByTerms() || isInvite();
	show(find(game, '.accounts').parentElement ?? game, shown && isOwner(shown) && !isWish);
	show(byId('by-terms'), isWish);
	const hasWallet = shown && shown.accounts.length > 0 && (shown.public || shown.host);
	const mayBet = isWish && Boolean(hasWallet && shown?.signing?.stakes);
	show(byId('bet'), mayBet);
	game.bet.disabled = !mayBet;
	chooseClock();
	show(byId('time-note'), isWish);
	setText(byId('time-note'), timeNote());
	show(byId('friend-seat'), !isInvite());
	game.account.disabled = !theirs;
	show(byId('no-clock'), !lacks && way === 'friend' && !isInvite());
	for (const colour of PAIR) show(game[colour].closest('.field'), colour !== theirs);
	nameStart();
	if (chosen || game.red.options.length < 2) return;
	const first = way === 'computer' && game.begins.value === 'computer' ? 1 : 0;
	game.red.selectedIndex = first;
	game.blue.selectedIndex = 1 - first;
}

/** Boards and pie rule of the pool in which a game by signed terms is rated. @returns {DOMStringMap} */
const poolOf = () => (isByTerms() || isInvite() ? game.pool.selectedOptions[0].dataset : {});

/** Leaves the boards of the pool alone, and the pie rule to it. */
function choosePool() {
	const { boards } = poolOf();
	const all = boards?.split(' ');
	for (const option of game.board.options) {
		option.disabled = option.hidden = all ? !all.includes(option.value) : false;
	}
	if (all && !all.includes(game.board.value)) game.board.value = all[0];
	show(game.pie.closest('label'), !all);
}

/** The board that a form asks for. @param {HTMLFormElement} asks @returns {Shape} */
export function shapeOf(asks) {
	const [bins, capacity, line] =
		asks.board.value === OWN
			? NUMBERS.map((name) => Number(asks[name].value))
			: asks.board.value.split('x').map(Number);
	return { bins, capacity, line };
}

/** The clock of an option, or of what is chosen in a list; null for none. @param {{ value: string }} of */
function clockOf({ value }) {
	const [bank, increment = 0] = value.split(',').map(Number);
	return bank ? { bank, increment } : null;
}

/** What each player pays in a game by signed terms, as it was typed in; null for nothing. @returns {string | null} */
const betOf = () => (game.bet.disabled ? null : game.bet.value.trim() || null);

/** Leaves the clocks alone that last for a stake, if there is one. */
function chooseClock() {
	const options = [...game.time.options];
	for (const option of options) {
		option.disabled = option.hidden = Boolean(betOf()) && (clockOf(option)?.bank ?? 0) < LEAST_BANK;
	}
	if (game.time.selectedOptions[0].disabled) {
		game.time.value = options.find(({ disabled }) => !disabled).value;
	}
}

/** What is said of the clock. */
function timeNote() {
	if (betOf()) return texts.chainKeepsTime;
	return game.time.value ? texts.relayKeepsTime : texts.noTime;
}

/** The game that is sought by signed terms. @returns {Wish} */
const newWish = () => ({
	stake: betOf(),
	shape: shapeOf(game),
	pie_rule: poolOf().boards ? 'pie' in poolOf() : game.pie.checked,
	pool: Number(game.pool.value),
	clock: clockOf(game.time),
	side: game.side.value,
});

/** The game of this page that is asked for. @returns {StartHere} */
function newHere() {
	const { level, begins, way } = game;
	const computer = way.value === 'computer' ? level.value : null;
	const seats = begins.value === 'computer' ? [computer, null] : [null, computer];
	return { terms: classic(shapeOf(game)), seats };
}

/** @returns {[StartGame, string[]]} the game, and the accounts that are played here */
function newGame() {
	const friend = friendSeat();
	/** @param {Colour} colour @returns {string} */
	const account = (colour) => (colour === friend ? game.account.value.trim() : game[colour].value);
	/** @type {Colour | null} */
	const computer =
		game.way.value === 'computer' ? (game.begins.value === 'computer' ? 'red' : 'blue') : null;
	const seats = PAIR.map((colour) => {
		return { account: account(colour), level: colour === computer ? game.level.value : null };
	});
	const body = {
		kind: /** @type {const} */ ('classic'),
		terms: classic(shapeOf(game)),
		seats,
	};
	const mine = game.way.value === 'friend' ? [game.seat.value] : PAIR;
	return [body, mine.filter((colour) => colour !== computer).map(account)];
}

/** @param {FormHandlers} on */
function watchImport(on) {
	/** @type {HTMLInputElement} */
	const field = imported.moves;
	/** @param {string} text */
	const complain = (text) => {
		setText(byId('import-error'), text);
		field.setAttribute('aria-invalid', String(Boolean(text)));
	};
	imported.addEventListener('change', arrange);
	for (const part of [imported, byId('which-game')]) {
		part.addEventListener('input', () => complain(''));
	}
	imported.addEventListener('submit', async (event) => {
		event.preventDefault();
		const moves = field.value.replace(/[\s,]+/g, '');
		const isVariant = byId('new').dataset.game === 'variant' && late.variants;
		const { bins, capacity, line } = shapeOf(imported);
		const board = { bins: String(bins), capacity: String(capacity), line: String(line) };
		const offered = fragmentIn(moves);
		if (offered !== null && !offerOf(offered)) return complain(capital(texts.brokenOffer));
		if (offered !== null) {
			field.value = '';
			location.hash = offered;
			return;
		}
		try {
			if (!isVariant && !moves) throw new Error(texts.noMoves);
			await on.line(
				isVariant ? isVariant.lineOf(moves) : new URLSearchParams({ ...board, moves }).toString(),
			);
			complain('');
		} catch (failure) {
			complain(capital(reason(failure)));
			field.focus();
		}
	});
}
