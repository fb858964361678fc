// What this browser has found of each chain before. A host names all of it, and could lead to another
// contract, or have an amount paid other than the one that is shown: so what differs is asked about.

import { isOfLink } from '../hosts.js';
import { short } from '../state/text.js';
import { keep, recall } from '../storage.js';
import { texts } from '../words/host.js';
import { JournalError } from './database.js';
import { guard } from './guards.js';

/** @import { ChainFacts } from '../wire.d.ts' */
/** @import { Signing } from '../wire.d.ts' */

/** Units of contracts, and of wallets of Ethereum, in one token. */
const TOKEN = 10n ** 18n;

/**
 * What of a chain stays the same. `variants` and `stakes` are null where no host of it had that contract; earlier pages
 * kept neither. Session keys and wallets of Ethereum sign for the chain with `chainId`, others for the one with `genesis`:
 * so a chain with either of the two of another one is taken for it.
 * @typedef {{
 *   genesis: string, chainId: number | null,
 *   decimals: number | null, symbol: string | null, ratio: string,
 *   games: string | null, variants?: string | null, stakes?: string | null,
 * }} Pin
 */

/** The contracts that a host of a chain may not have. */
const OPTIONAL = /** @type {const} */ (['variants', 'stakes']);

/** @param {Signing} facts @param {ChainFacts} chain @returns {Pin} */
export const pinOf = (
	{ genesis, chain_id: chainId, ratio, games, variants, stakes },
	{ decimals, symbol },
) => ({ genesis, chainId, decimals, symbol, ratio, games, variants, stakes });

const ADDRESS = /^0x[0-9a-f]{40}$/i;

/**
 * Whether what a host says of its chain is of the right kind: the rest of the page relies on that.
 * @param {Signing} facts @param {ChainFacts} chain
 */
export function areReadable(facts, chain) {
	const { genesis, chain_id: chainId, ratio, wallet_rpc: rpc, relay } = facts;
	const { games, variants, stakes, deployer } = facts;
	const isText = (/** @type {unknown} */ one) => one === null || typeof one === 'string';
	return (
		/^0x[0-9a-f]{64}$/.test(genesis) &&
		(chainId === null || Number.isSafeInteger(chainId)) &&
		typeof ratio === 'string' &&
		/^\d{1,30}$/.test(ratio) &&
		[rpc, relay, chain?.name, chain?.symbol].every(isText) &&
		[games, variants, stakes, deployer].every((one) => one === null || ADDRESS.test(one)) &&
		(chain.decimals === null || (Number.isSafeInteger(chain.decimals) && chain.decimals <= 30))
	);
}

/** @param {Pin} one @param {Pin} other */
const isSame = (one, other) =>
	one.genesis === other.genesis || (one.chainId !== null && one.chainId === other.chainId);

/** The chains that were used. */
const pinned = guard('chains', /** @type {Pin[]} */ ([]), (kept, before) => [
	...kept,
	...before.filter((pin) => !kept.some((one) => isSame(one, pin))),
]);

/** @param {Pin[]} pins @param {Pin} now */
const withPin = (pins, now) => [...pins.filter((pin) => !isSame(pin, now)), now];

/** In the tab's storage: what the hosts of links have said. It stays in the browser once something is signed there. */
const OF_LINKS = 'link-chains';
const ofLinks = () => recall(OF_LINKS, /** @type {Pin[]} */ ([]), 'sessionStorage');
/** What the tab alone has kept of the chain that is used; null if there is none. @type {Pin | null} */
let unsigned = null;

/** Keeps the chain that is used, for as long as its host. @param {Pin} now */
async function use(now) {
	if (!isOfLink()) return pinned.change((pins) => withPin(pins, now));
	keep(OF_LINKS, withPin(ofLinks(), now), 'sessionStorage');
	unsigned = now;
}

/** Has the chain on disk before something is signed there. @throws {JournalError} */
export async function keepChain() {
	const now = unsigned;
	if (!now) return;
	await pinned.change((pins) => withPin(pins, now));
	unsigned = null;
}

/**
 * Why the player has to be asked before anything is signed; null if nothing is odd, and the chain is on disk
 * then, or kept by the tab if the host is one of a link. `accept` is null if it can't be accepted.
 * @param {Pin} now
 * @returns {Promise<{ text: string, accept: (() => Promise<void>) | null } | null>}
 */
export async function judge(now) {
	try {
		return await compare(now);
	} catch (error) {
		if (!(error instanceof JournalError)) throw error;
		// Who knows what was used before?
		return { text: error.message, accept: null };
	}
}

/** @param {Pin} now @returns {ReturnType<typeof judge>} */
async function compare(now) {
	if (now.decimals === null || BigInt(now.ratio) * 10n ** BigInt(now.decimals) !== TOKEN) {
		return { text: WRONG_UNITS, accept: null };
	}
	const inTab = isOfLink() ? ofLinks().filter((pin) => isSame(pin, now)) : [];
	const before = inTab.length ? inTab : (await pinned.read()).filter((pin) => isSame(pin, now));
	unsigned = null;
	// What a host of the chain does not have, and was used, is kept.
	const kept = OPTIONAL.map((kind) => [
		kind,
		now[kind] ?? before.find((pin) => pin[kind])?.[kind] ?? null,
	]);
	/** @type {Pin} */
	const whole = { ...now, ...Object.fromEntries(kept) };
	const accept = () => use(whole);
	const text = before.map((pin) => differences(pin, now)).find((words) => words);
	if (text) return { text, accept };
	const isNew = OPTIONAL.some((kind) => before.some((pin) => !pin[kind] && whole[kind]));
	if (!before.length || isNew) await accept();
	if (inTab.length) unsigned = whole;
	return null;
}

const WRONG_UNITS = texts.tokenUntrue;

/** How a chain differs from itself as it was, for the player; empty if it does not. @param {Pin} before @param {Pin} now */
function differences(before, now) {
	if (before.genesis !== now.genesis) {
		return texts.otherGenesis(now.chainId, short(now.genesis), short(before.genesis));
	}
	if (before.chainId !== now.chainId) {
		return texts.otherChainId(now.chainId, before.chainId);
	}
	if (before.decimals !== now.decimals || before.ratio !== now.ratio) {
		return texts.otherDecimals(now.decimals, before.decimals);
	}
	if (before.symbol !== now.symbol) {
		return texts.otherSymbol(now.symbol, before.symbol);
	}
	if (before.games !== now.games) {
		return texts.otherContract(short(now.games ?? ''), short(before.games ?? ''));
	}
	for (const kind of OPTIONAL) {
		const [was, is] = [before[kind], now[kind]];
		if (was && is && was !== is) return texts.otherContract(short(is), short(was));
	}
	return '';
}
