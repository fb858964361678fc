// Keccak-256 of what the contract of the matches is deployed with: its code of artifacts/, and the input of
// its constructor, which names the code of the games and of the fast games; and of what the contract of the
// records is deployed with; each with its version. Those of earlier versions follow, which have no records.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-browser deployed_with`
// writes it again.

export const INIT_CODES = [
	{
		version: 5,
		matches: '0x75fa21caf0a965767d26031e581962b5da7157e5b01f32cd91b186ae140f1b1a',
		records: '0xdb224a31008b159e932f9643f8e894f8de75b09b60b09302e3cb41b4738a01ab',
	},
	{
		version: 4,
		matches: '0x88282520711793633642beb428086905fdb56a36ab10d857a16babb5d87292e6',
		records: null,
	},
	{
		version: 3,
		matches: '0x856dea115e772f78cc9a1544af6bd89045f2c66b608443c8d092aa9cf330a3f9',
		records: null,
	},
];
