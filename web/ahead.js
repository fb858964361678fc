// Files of a part of the page that are loaded at once, in place of one after the other as each names the next.

import { integrityOf } from './late.js';

/** Those of the page of a public host, with the games of the page. A test compares them with what those import. */
export const HOST = [
	'computer/mind.js',
	'guest/account.js',
	'guest/phrases.js',
	'here/main.js',
	'host/account.js',
	'host/chain.js',
	'host/checked-line.js',
	'host/checked.js',
	'host/code.js',
	'host/codes.js',
	'host/compare.js',
	'host/contracts.js',
	'host/database.js',
	'host/ethereum.js',
	'host/guards.js',
	'host/hex.js',
	'host/init-code.js',
	'host/journal.js',
	'host/lock.js',
	'host/main.js',
	'host/names.js',
	'host/node.js',
	'host/pallet.js',
	'host/pins.js',
	'host/prepare.js',
	'host/prepared.js',
	'host/program.js',
	'host/proven.js',
	'host/public-chains.js',
	'host/read.js',
	'host/rpc.js',
	'host/search.js',
	'host/send.js',
	'host/session.js',
	'host/signed.js',
	'host/substrate.js',
	'host/verify.js',
	'host/view.js',
	'names.js',
	'player/module.js',
	'state/bip39.js',
	'words/here.js',
	'words/host.js',
];

/** Those of games by signed terms besides. A test compares them with what these import. */
export const TERMS = [
	'host/amounts.js',
	'host/duties.js',
	'host/events.js',
	'host/look.js',
	'host/room.js',
	'host/steps.js',
	'player/game.js',
	'player/lobby.js',
	'player/records.js',
	'player/watch.js',
	'state/apart.js',
	'state/by-terms-kept.js',
	'state/by-terms.js',
	'state/moves-of.js',
	'state/recorded.js',
	'state/staked.js',
	'terms/indexed.js',
	'terms/kept.js',
	'terms/main.js',
	'terms/offer.js',
	'terms/pairing.js',
	'terms/panel.js',
	'terms/rematch.js',
	'terms/seek.js',
	'terms/stake.js',
	'terms/tables.js',
	'terms/view.js',
	'words/player.js',
	'words/recorded.js',
	'words/stakes.js',
	'words/terms.js',
];

/** Begins to load modules. @param {string[]} files within this folder */
export function ahead(files) {
	for (const file of files) {
		const link = document.createElement('link');
		link.rel = 'modulepreload';
		const { href, pathname } = new URL(file, import.meta.url);
		link.integrity = integrityOf(pathname);
		link.href = href;
		document.head.append(link);
	}
}
