// The names of a chain and of its token. A host says them, and they stand in questions that are asked because the host
// is not trusted: they have a length, and nothing in them that changes how other text is read.

/** Chains that many people know, by their first block and by their number for wallets of Ethereum. */
const KNOWN = [
	{
		genesis: '0x68d56f15f85d3136970ec16946040bc1752654e906147f7e43e9d539d7c3de2f',
		chainId: 420420419,
		name: 'Polkadot Hub',
		symbol: 'DOT',
	},
	{
		genesis: '0x48239ef607d7928874027a43a67689209727dfb3d3dc5e5b03a39bdc2eda771a',
		chainId: 420420418,
		name: 'Kusama Hub',
		symbol: 'KSM',
	},
	{
		genesis: '0x67f9723393ef76214df0118c34bbbd3dbebc8ed46a10973a8c969d48fe7598c9',
		chainId: 420420421,
		name: 'Westend Hub',
		symbol: 'WND',
	},
	{
		genesis: '0xd6eec26135305a8ad257a20d003357284c8aa03d0bdb2b357ab0a22371e11ef2',
		chainId: 420420417,
		name: 'Paseo Hub',
		symbol: 'PAS',
	},
];

const SYMBOL = /^[\p{L}\p{N}.$-]{1,12}$/u;
const LONGEST = 40; // characters of a name

/** A name as it is compared with others. @param {string} name */
const letters = (name) =>
	name
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');

/** @param {string | null} name */
function nameOf(name) {
	const plain = (name ?? '').replace(/\s+/gu, ' ').replace(/\p{C}/gu, '').trim();
	const all = [...plain];
	const isOthers = KNOWN.some((one) => letters(one.name) === letters(plain));
	if (!plain || isOthers) return null;
	return all.length > LONGEST ? `${all.slice(0, LONGEST).join('')}…` : plain;
}

/**
 * The names of a chain and of its token, as they are shown; null for none. One that is known has those of this table,
 * which no other chain has.
 * @param {{ genesis: string, chainId: number | null, name: string | null, symbol: string | null }} of
 * @returns {{ name: string | null, symbol: string | null }}
 */
export function namesOf({ genesis, chainId, name, symbol }) {
	const known = KNOWN.find((one) => one.genesis === genesis);
	// What a wallet of Ethereum signs is for the chain with the number.
	if (known && (chainId === null || chainId === known.chainId)) {
		return { name: known.name, symbol: known.symbol };
	}
	const shown = symbol !== null && !SYMBOL.test(symbol) ? 'units' : symbol;
	return { name: nameOf(name), symbol: shown };
}
