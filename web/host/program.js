// What a program does for its page, done in the page: requests of players become calls that the wallet signs.

import { texts } from '../words/host.js';
import { typedAddress } from './account.js';
import { amount } from './amounts.js';
import { ownNode, read, shownChallenge, timeOfBlock } from './chain.js';
import { timeOfChain } from './chain-time.js';
import { WalletError } from './ethereum.js';
import { send } from './send.js';
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

/** Encodes a call. @param {string} message @param {object} values */
const call = (message, values) =>
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
	expires_in: expires = 86_400,
}) {
	const payment = stake ? amount(stake) : 0n;
	const begins = first === 'random' ? randomBit() : first === 'me';
	const encoded = await call('make_challenge', {
		opponent: opponent ? await typedAddress(opponent) : null,
		challenger_first: begins,
		shape,
		clock,
		expires: expires === null ? null : (await timeOfChain(ownTime)) + expires,
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
	const payment = BigInt(stake ?? 0);
	const encoded = await call('accept', { challenge: number, seen });
	const landed = await send(texts.acceptChallenge(number), encoded, { payment });
	return { game: told(landed, 'match').game };
}

/** @param {GameId} game @param {MakeMove} asked */
export async function move(game, { move: asked }) {
	if (asked.kind !== 'drop') return never();
	const { bin } = asked;
	await checkGame(game);
	const encoded = await call('drop_disc', { game, bin });
	const how = await safely(game);
	const landed = await send(texts.dropDisc(bin + 1, game), encoded, how);
	told(landed, 'dropped');
	return receipt(landed);
}

/** Actions in a game as the player reads them. @type {Record<string, (game: string) => string>} */
const ACTIONS = {
	resign: texts.resignIn,
	claim_timeout: texts.claimIn,
	offer_draw: texts.offerDrawIn,
	accept_draw: texts.acceptDrawIn,
	decline_draw: texts.declineDrawIn,
	decline_rematch: texts.declineNextIn,
};
/** Actions that a player takes because of the board and the offers that are shown. */
const ON_BOARD = ['resign', 'offer_draw', 'accept_draw'];

/** @param {GameId} game @param {Perform} asked */
export async function act(game, { act: action }) {
	const what = ACTIONS[action];
	if (!what) throw new WalletError(texts.notInGame, 'failed');
	const isOnBoard = ON_BOARD.includes(action);
	if (isOnBoard) await checkGame(game);
	const answers = isOnBoard ? answered(game) : null;
	const landed = await send(what(game), await call(action, { game }), { answers });
	return receipt(landed);
}

/** @param {GameId} game @param {OfferNext} asked */
export async function next(game, { stake }) {
	await checkGame(game);
	const state = await read('match_of', { game });
	const payment = BigInt(stake ?? 0);
	const answers = answered(game);
	const accepts = state.match.rematch !== null;
	const encoded = await call(accepts ? 'accept_rematch' : 'offer_rematch', { game });
	const landed = await send(texts.anotherGame(game), encoded, { payment, answers });
	return { game: find(landed, 'match')?.game ?? null };
}

/** @param {Withdraw} asked */
export async function withdraw({ games }) {
	return receipt(await send(texts.withdraw, await call('withdraw', { games })));
}

const randomBit = () => (crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) % 2 === 0;
