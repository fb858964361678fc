// Types of what the page does with wallets. For the type check alone.

import type { NamedBy, NamedKey, SessionToSign } from '../ask.d.ts';
import type { Landed, Prepared } from '../wire.d.ts';

/** Bytes as `0x` and hexadecimal digits. */
export type Hex = string;

/** The chain on which the game is played. */
export type Chain = {
	name: string;
	symbol: string;
	/** Digits of the token's amounts behind the point, by which they are shown and read. */
	decimals: number | null;
	/** Hash of its first block. */
	genesis: string;
	/** Number by EIP-155; null if it takes no transactions of Ethereum. */
	chainId: number | null;
	/** Node for wallets of Ethereum that do not know the chain. */
	rpc: string | null;
	/** Relay of signed games, if the host names another one than itself. */
	relay: string | null;
	/** How many units of wallets of Ethereum the token's smallest unit is. */
	ratio: bigint;
	/** Whether who removes storage gets its deposit back whole; else no more than they have paid for the contract. */
	returnsDeposits: boolean;
};

/** An account of a wallet. */
export type WalletAccount = {
	/** An address, or an account in SS58. */
	id: string;
	/** The owner's name for it. */
	name: string | null;
};

export type WalletEvents = {
	/** The accounts that the page may use have changed; none if the wallet was locked. */
	accounts: (accounts: WalletAccount[]) => void;
	/** The wallet is on another chain. */
	chain: (id: number) => void;
};

/** A transaction to be signed. */
export type Transaction = {
	account: WalletAccount;
	chain: Chain;
	prepared: Prepared;
	data: Hex;
	/** In the token's smallest unit. */
	payment: bigint;
	/**
	 * Is told before the owner of the wallet is asked, without a hash, and waited for: what can't be kept is not
	 * signed. Then with the hash, before it is passed on, and the block after which it can be found; or with null in
	 * place of the hash if it was not signed. A wallet that passes it on itself tells the number of the account's
	 * transactions before it, as far as it knows.
	 */
	signed: (hash: Hex | null, after: number, nonce?: number) => Promise<void>;
};

/** A transaction on its way. */
export type Sent = {
	hash: Hex;
	/** The best block when it was sent, if the host passed it on. */
	after?: number;
	/** Passes it on once more, if no host has confirmed that it was. */
	again?: () => Promise<unknown>;
	/** The sender, if the wallet passed it on. */
	from?: string;
	/** Number of the sender's transactions before it, as its node knew them. */
	nonce?: number;
	/** Number of the chain in hexadecimal digits, if the wallet passed it on. */
	chain?: string;
};

/**
 * Why it takes long until a transaction is in a block: it is `pending` at the wallet's node, or `unknown`
 * there, so that it may have been dropped; or `overtaken` as well, as another transaction of the sender is in a
 * block; or the node is `silent`. Of a transaction that the host looks for, it is `untold` what became.
 */
export type Slow = 'pending' | 'unknown' | 'overtaken' | 'silent' | 'untold';

/**
 * What may become of a signature: it is in a `final` block, or can't happen any more as another one is in its
 * place there; it is `in block`, which a fork could replace; it is `over`, as no block takes it any more by the
 * host's word; or a block may still take it.
 */
export type Fate = 'open' | 'over' | 'in block' | 'final';

/** What became of a transaction. */
export type Outcome = { hash: Hex; block: number; failed: boolean; found?: Landed };

export type Wallet = {
	kind: 'ethereum' | 'substrate';
	/** Tells it from others, also after the page was loaded again. */
	id: string;
	name: string;
	/** A picture as a data URL. */
	icon: string | null;
	/** Whether it is the program that serves the page, which has looked at its chain and contracts by itself. */
	isProgram?: true;
	/** Asks for its accounts; silently only for those that the page may use already. */
	connect: (chain: Chain, silently: boolean) => Promise<WalletAccount[]>;
	listen: (on: WalletEvents) => void;
	leave: () => void;
	/** Has it use the chain. */
	useChain: (chain: Chain) => Promise<void>;
	isOn: (chain: Chain) => Promise<boolean>;
	/** Has it sign and pass on a transaction. */
	send: (transaction: Transaction) => Promise<Sent>;
	/** Has it sign that a session key may play for the account. */
	sign: (asked: {
		account: WalletAccount;
		chain: Chain;
		named: NamedKey;
		toSign: SessionToSign;
	}) => Promise<NamedBy>;
	/** Waits until a transaction is in a block, or is not waited for any more; `told` is called with why that takes long. */
	follow: (sent: Sent, told: (slow: Slow) => void, stop?: AbortSignal) => Promise<Outcome>;
	/**
	 * What became of a transaction that the wallet has passed on, or was asked to if it has no hash. `told` is
	 * called with its number if the node knows it; `isTold` is whether it was.
	 */
	fateOf?: (
		sent: { hash: Hex; from: string; nonce: number; isTold: boolean },
		told: (nonce: number) => void,
	) => Promise<Fate>;
	/** Has it sign a transaction that does nothing, in place of the one with this number. */
	cancel?: (chain: Chain, from: string, nonce: number) => Promise<void>;
	/** Asks the wallet's own node by Ethereum's JSON-RPC; null if it has none. */
	node: ((method: string, params: unknown[]) => Promise<Hex>) | null;
	/** Whether that node is one that a host has named to the wallet, with the chain. */
	hasGivenNode?: (chain: Chain) => boolean;
};
