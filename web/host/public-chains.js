// Chains that many people know, by their first block and by their number for wallets of Ethereum; and for how many
// blocks a transaction of a Polkadot SDK chain is valid. Made of `connect4_protocol`.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-browser public_chains`
// writes it again.

export const MORTALITY = 64;

export const CHAINS = [
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
	{
		genesis: '0x173cea9df45656cf612c8b8ece56e04e9a693c69cfaac47d3628dae735067af8',
		chainId: 420420417,
		name: 'Paseo Next Hub',
		symbol: 'PAS',
	},
];
