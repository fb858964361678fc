// What a program does for its page, done in the page: requests of players become calls that the wallet signs.

import { isGame } from '../state/seats.js';
import { current } from '../store.js';
import { texts } from '../words/host.js';
import { typedAddress } from './account.js';
import { WalletError } from './ethereum.js';
import { send } from './send.js';
import { checkGame } from './verify.js';
import { ask } from './wasm.js';

/** @import { Call } from '../ask.d.ts' */
/** @import { Acts } from '../player.js' */
/** @import { GameId, Landed } from '../wire.d.ts' */

/** What only programs do. @returns {Promise<never>} */
async function never() {
	throw new WalletError(texts.notOnHost, 'failed');
}

export { never as openTable, never as setComputer };

/** Encodes a call. @param {string} message @param {object} values */
const call = (message, values) =>
	ask({ call: /** @type {Call} */ (/** @type {unknown} */ ({ [message]: values })) });

/** The event of a kind, which a transaction that has succeeded has. @param {Landed} landed @param {string} event @returns {any} */
function told({ events }, event) {
	const found = events.find((one) => /** @type {any} */ (one).event === event);
	if (found) return found;
	throw new WalletError(texts.doneUntold, 'failed');
}

/** The block of the newest move of a game that is shown, on which an answer relies; null if it is not known. @param {GameId} game */
function answered(game) {
	const { view } = current();
	if (!view || !isGame(view) || view.game !== game) return null;
	const { last_block: last, moves, turns } = view;
	return last && last.block === moves[turns - 1]?.transaction?.block ? last : null;
}

/** @type {Acts['startGame']} */
export async function startGame({ terms, seats }) {
	const [one, two] = await Promise.all(seats.map(({ account }) => typedAddress(account)));
	const values = { player_one: one, player_two: two, shape: terms.shape };
	const landed = await send(texts.startGame, await call('start_game', values));
	return { game: told(landed, 'started').game };
}

/** @type {Acts['move']} */
export async function move(game, { move: asked }) {
	if (asked.kind !== 'drop') return never();
	const { bin } = asked;
	await checkGame(game);
	const encoded = await call('drop_disc', { game, bin });
	const landed = await send(texts.dropDisc(bin + 1, game), encoded, { answers: answered(game) });
	return told(landed, 'dropped');
}

/** @type {Acts['act']} */
export async function act(game, { act: action }) {
	// What is returned is the payer's, whatever the board is.
	if (action === 'free') return send(texts.freeOf(game), await call('free', { game }));
	if (action !== 'resign') throw new WalletError(texts.notInGame, 'failed');
	await checkGame(game);
	const encoded = await call('resign', { game });
	return send(texts.resignIn(game), encoded, { answers: answered(game) });
}
