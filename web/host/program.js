// What a program does for its page, done in the page: requests of players become calls that the wallet signs.

import { addressOf, isGame, isVariantGame } from '../state/seats.js';
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
/** @import { ViewedGame } from '../state/types.d.ts' */
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

/** A game, if it is the one that is shown. @param {GameId} game */
function shown(game) {
	const { view } = current();
	return view && isGame(view) && view.game === game ? view : null;
}

/** The block of the newest move of a game that is shown, on which an answer relies; null if it is not known. @param {GameId} game */
function answered(game) {
	const view = shown(game);
	if (!view) return null;
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
export async function openTable({ account, terms, players }) {
	const named = await Promise.all(players.map(typedAddress));
	const { limit, ...variant } = terms;
	const encoded = await call('open_table', { players: named, variant, limit });
	const landed = await send(texts.openTable(termsText(terms)), encoded, { by: account });
	return { game: told(landed, 'table_opened').game };
}

/** @type {Acts['move']} */
export async function move(game, { move: asked }) {
	const isVariant = isVariantGame(game);
	if (!isVariant && asked.kind !== 'drop') return never();
	const view = shown(game);
	if (!view) throw new WalletError(texts.notInGame, 'failed');
	const by = view.to_move && addressOf(view, view.to_move);
	await checkGame(game);
	const encoded = await (isVariant || asked.kind !== 'drop'
		? call('make_move', { game, action: asked })
		: call('drop_disc', { game, bin: asked.bin }));
	const landed = await send(texts.moveIn(asked, game), encoded, { by, answers: answered(game) });
	return told(landed, isVariant ? 'moved' : 'dropped');
}

/**
 * What players do apart from moves, each by the message of the same name, in words.
 * @type {{ [Kind in 'plain' | 'variant']: Record<string, (view: ViewedGame) => string> }}
 */
const ACTS = {
	plain: { resign: ({ game }) => texts.resignIn(game) },
	variant: {
		join: ({ game, terms }) => texts.joinTable(game, termsText(terms)),
		leave: ({ game, started }) => (started ? texts.leaveGame(game) : texts.leaveTable(game)),
		remove_late: ({ game }) => texts.removeLate(game),
	},
};

/** @type {Acts['act']} */
export async function act(game, { act: action, account }) {
	const isVariant = isVariantGame(game);
	// What is returned is the payer's, whatever the board is.
	if (action === 'free') {
		const encoded = await call(isVariant ? 'free_variant' : 'free', { game });
		return send(texts.freeOf(game), encoded, { by: account });
	}
	const what = ACTS[isVariant ? 'variant' : 'plain'][action];
	const view = shown(game);
	if (!what || !view) throw new WalletError(texts.notInGame, 'failed');
	await checkGame(game);
	const how = { by: account, answers: answered(game) };
	return send(what(view), await call(action, { game }), how);
}
