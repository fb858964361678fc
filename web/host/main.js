// A public host's page: the player's own wallet signs, and the page checks what it is told. Beside the games of a
// program: wallets, of which one is the program, and signed games. Loaded once a server says what is signed for.

import { keepApp } from '../app.js';
import { once } from '../late.js';
import { isGame } from '../state/seats.js';
import { current, dispatch } from '../store.js';
import { get } from '../transport.js';
import { addressOf, ownNames } from './account.js';
import './checked-line.js';
import { reason } from '../state/text.js';
import { texts } from '../words/host.js';
import { contractOf, useContracts } from './contracts.js';
import { namesOf } from './names.js';
import { checkOn } from './node.js';
import { areReadable, judge, pinOf } from './pins.js';
import { KINDS, lookAtAddress } from './proven.js';
import { oddity } from './read.js';
import { showTo } from './send.js';
import { lookForWallets, onSession, session } from './session.js';
import { lookNow } from './verify.js';
import { agree, renderWallet, showStage, showTrust } from './view.js';

/** @import { ViewedGame } from '../state/types.d.ts'
 * @import { Hello, OpenAccount, Signing } from '../wire.d.ts' */
/** @import { Host } from '../player.js' */

export * from './program.js';

const CALM = 10_000; // milliseconds

/** What the server said last; of a host without accounts. @type {Hello | null} */
let said = null;
/** @type {OpenAccount | null} */
let account = null;
let begun = false;

showTo({
	show(stage) {
		showStage(stage);
		if (stage.step === 'done') refresh();
	},
	agreed: agree,
});
onSession(() => {
	// What was wrong with a wallet before is not any more.
	if (!session.trouble && current().error) dispatch({ type: 'dismiss' });
	renderWallet(account);
	refresh();
});

/**
 * Takes what a host says of itself; answers it with the wallet's account.
 * @param {Hello} told
 * @returns {Promise<Hello>}
 */
export async function join(told) {
	const { facts, name, hello } = use({ ...told, names: ownNames(told.names) });
	// Several hosts reach the same chain by several nodes.
	const place = `${name} (${facts.genesis.slice(0, 10)})`;
	said = { ...hello, host: true, chain: { ...hello.chain, place } };
	await trust(hello, facts);
	// The contracts are those that this browser knows.
	const { chain_id: chainId } = facts;
	const { games, stakes } = used();
	// A node without the variants is one of this game, too: of these it is asked before something is signed.
	checkOn(chainId === null ? null : { name, chainId, contracts: { games, stakes } });
	if (!begun && session.chain) lookForWallets(session.chain);
	begun = true;
	renderWallet(account);
	// Once nothing is loaded any more that somebody waits for.
	setTimeout(keepApp, CALM);
	// What came before it was known that the host is a public one.
	const { view } = current();
	if (view && isGame(view)) check(view);
	await findAccount();
	return withAccount(said);
}

/** Sits beside a program: it is the player's own, and has looked at the contracts by itself. @type {Host['sit']} */
export async function sit(told) {
	const { accountsOf, ofProgram } = await import('../program/wallet.js');
	const { facts, hello } = use(told);
	said = hello;
	useContracts(contractsOf(facts), { prove: (kind) => lookAtAddress(facts, kind) });
	// For a seat alone nothing else is signed. And no other wallet signs for what only says that it is a program: it was
	// not compared with what this browser knows of the chain.
	accountsOf(hello);
	if (session.chain) lookForWallets(session.chain, told.host ? [(found) => found(ofProgram)] : []);
	renderWallet(account);
	refresh();
}

/** @typedef {Record<(typeof KINDS)[number], string | null>} Contracts */
/** @param {(kind: (typeof KINDS)[number]) => string | null} of @returns {Contracts} */
const byKind = (of) =>
	/** @type {Contracts} */ (Object.fromEntries(KINDS.map((kind) => [kind, of(kind)])));
/** The contracts that are used. */
const used = () => byKind(contractOf);
/** Those that a server names. @param {Signing} facts */
const contractsOf = (facts) => byKind((kind) => facts[kind]);

/** Uses the chain of a server. @param {Hello} told */
function use(told) {
	const facts = /** @type {Signing} */ (told.signing);
	if (!areReadable(facts, told.chain)) throw new Error(texts.chainUnreadable);
	const { genesis, chain_id: chainId } = facts;
	const names = namesOf({ genesis, chainId, name: told.chain.name, symbol: told.chain.symbol });
	const hello = { ...told, chain: { ...told.chain, ...names } };
	const name = names.name ?? texts.chain;
	const before = session.chain;
	session.chain = {
		name,
		symbol: names.symbol ?? 'UNIT',
		decimals: hello.chain.decimals,
		genesis,
		chainId,
		rpc: facts.wallet_rpc,
		relay: facts.relay,
		ratio: BigInt(facts.ratio),
		returnsDeposits: facts.returns_deposits === true,
	};
	const isOther = before?.genesis !== genesis || before.chainId !== chainId;
	if (isOther) useContracts({});
	return { facts, name, hello };
}

/**
 * Uses the contracts of a host, unless it says of the chain what this browser has found otherwise before.
 * @param {Hello} hello @param {Signing} facts
 */
async function trust(hello, facts) {
	const isNamed = Boolean(facts.games);
	const contracts = isNamed ? contractsOf(facts) : used();
	if (!contracts.games) return;
	// A host that names none for a while is still asked what else it says of the chain.
	const pin = pinOf({ ...facts, ...contracts }, hello.chain);
	const asked = await judge(pin);
	showTrust(asked && { ...asked, accept: asked.accept && accepted(hello, asked.accept) });
	if (asked) useContracts({}, { why: asked.text });
	else if (isNamed) useContracts(contracts, { prove: (kind) => lookAtAddress(facts, kind) });
}

/** What is done when the player agrees to what differs. @param {Hello} hello @param {() => Promise<void>} accept */
const accepted = (hello, accept) => async () => {
	try {
		await accept();
	} catch (error) {
		return showTrust({ text: reason(error), accept: accepted(hello, accept) });
	}
	dispatch({ type: 'hello', hello: await join(hello) });
};

/** @param {Hello} hello @returns {Hello} */
const withAccount = (hello) =>
	hello.public ? { ...hello, accounts: account ? [account] : [] } : hello;

/** Looks up the account that plays now. */
async function findAccount() {
	const { account: chosen } = session;
	const address = chosen && (await addressOf(chosen));
	if (!chosen || !address) {
		account = null;
		return;
	}
	const balance = account?.address === address ? (account?.balance ?? null) : null;
	/** @type {OpenAccount} */
	const found = {
		...{ name: chosen.name, account: chosen.id, address, balance },
		...{ key: '', ethereum: session.wallet?.kind === 'ethereum' },
	};
	account = found;
	// What it has is told when it is known.
	get(`/api/holder?account=${encodeURIComponent(chosen.id)}`)
		.then(({ balance: now }) => {
			if (account !== found || now === balance) return;
			account = { ...found, balance: now };
			tell();
		})
		.catch(() => {});
}

/** The wallet, or what it lets the page use, has changed. */
async function refresh() {
	await findAccount().catch(() => {});
	tell();
}

function tell() {
	showStakes();
	renderWallet(account);
	if (said) dispatch({ type: 'hello', hello: withAccount(said) });
}

const loadStakes = once(() => import('./open-stakes.js'));
/** What shows stakes that may still be paid, once there was an account. @type {Awaited<ReturnType<typeof loadStakes>> | null} */
let stakes = null;
/** Whether the player was told that it could not be loaded. */
let isTold = false;

async function showStakes() {
	if (!stakes && !session.account) return;
	try {
		stakes ??= await loadStakes();
	} catch (failure) {
		if (!isTold) dispatch({ type: 'refuse', text: reason(failure) });
		isTold = true;
		return;
	}
	stakes.lookAtStakes().catch(() => {});
}

/**
 * Compares a game that is shown with its moves and with the chain.
 * @param {ViewedGame} view
 */
export function check(view) {
	const what = oddity(view);
	if (what) dispatch({ type: 'refuse', text: texts.distrust(what) });
	lookNow();
}
