// What a program does for its page, done in the page: requests of players become calls that the wallet signs.

import { isGame, isVariantGame } from '../state/seats.js';
import { termsText } from '../state/words.js';
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

export { never as setComputer };

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
export async function startGame({ kind, terms, seats }) {
	// Who plays a variant is asked at its table.
	if (kind === 'variant') return never();
	const [one, two] = await Promise.all(seats.map(({ account }) => typedAddress(account)));
	const values = { player_one: one, player_two: two, shape: terms.shape };
	const landed = await send(texts.startGame, await call('start_game', values));
	return { game: told(landed, 'started').game };
}

/** @type {Acts['openTable']} */
export async function openTable({ terms, players }) {
	const named = await Promise.all(players.map(typedAddress));
	const { limit, ...variant } = terms;
	const encoded = await call('open_table', { players: named, variant, limit });
	const landed = await send(texts.openTable(termsText(terms)), encoded);
	return { game: told(landed, 'table_opened').game };
}

/** @type {Acts['move']} */
export async function move(game, { move: asked }) {
	const isVariant = isVariantGame(game);
	if (!isVariant && asked.kind !== 'drop') return never();
	await checkGame(game);
	const encoded = await (isVariant || asked.kind !== 'drop'
		? call('make_move', { game, action: asked })
		: call('drop_disc', { game, bin: asked.bin }));
	const landed = await send(texts.moveIn(asked, game), encoded, { answers: answered(game) });
	return told(landed, isVariant ? 'moved' : 'dropped');
}

/**
 * What players do apart from moves, each by a message of the contract of the game.
 * @type {Record<string, { message: string, what: (game: GameId) => string, isOfVariant: boolean }>}
 */
const ACTS = {
	resign: { message: 'resign', what: texts.resignIn, isOfVariant: false },
	join: { message: 'join', what: texts.joinTable, isOfVariant: true },
	leave: { message: 'leave', what: texts.leaveGame, isOfVariant: true },
	remove_late: { message: 'remove_late', what: texts.removeLate, isOfVariant: true },
};

/** @type {Acts['act']} */
export async function act(game, { act: action }) {
	const isVariant = isVariantGame(game);
	// What is returned is the payer's, whatever the board is.
	if (action === 'free') {
		return send(texts.freeOf(game), await call(isVariant ? 'free_variant' : 'free', { game }));
	}
	const asked = ACTS[action];
	if (asked?.isOfVariant !== isVariant) throw new WalletError(texts.notInGame, 'failed');
	await checkGame(game);
	const { message, what } = asked;
	return send(what(game), await call(message, { game }), { answers: answered(game) });
}
