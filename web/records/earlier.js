// A game by terms that a page of version 0.2 has kept, as text.

import { openDatabase } from '../host/database.js';
import { EARLIER } from '../state/here.js';
import { changeKept, recall } from '../storage.js';
import { texts } from '../words/file.js';
import { openFile, save } from './main.js';
import { ask } from './reader.js';

/** @import { KeptEarlier } from '../state/types.d.ts'
 * @import { GameId } from '../wire.d.ts' */

/** @typedef {Record<GameId, KeptEarlier>} Kept */

/** Saves a game that such a page had not ended, shows it, and lists it no more. @param {GameId} game */
export async function saveEarlier(game) {
	const found = recall(EARLIER, /** @type {Kept} */ ({}))[game];
	if (!found) return;
	const { terms, chain_id, contract, key } = found;
	const { find, close } = await openDatabase();
	const book = (await find(key).finally(close))?.books?.[`terms/${chain_id}/${contract}/${game}`];
	if (!book) throw new Error(texts.keptElsewhere);
	const text = await ask({ earlier: { game, chain_id, contract, terms, book } });
	const name = `connect4-${game}.txt`;
	save(text, name);
	changeKept(EARLIER, {}, (/** @type {Kept} */ kept) => ({
		...kept,
		[game]: { ...found, saved: true },
	}));
	await openFile(new File([text], name));
}
