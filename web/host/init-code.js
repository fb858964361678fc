// Keccak-256 of what the contract of the matches is deployed with: its code of artifacts/, and the input of
// its constructor, which names the code of the games and of the fast games; and of what the contract of the
// records is deployed with. Those of earlier versions follow, which have no records.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-browser deployed_with`
// writes it again.

export const INIT_CODES = [
	{
		matches: '0x734beb054bdd0c7ba863d0a7a3bfb3274758f9f70d186232c69624575f5bb2c8',
		records: '0x5b84df763c1654dfa7831cfc1ecc366c214eaaa5e38a4d0b85ec92d2740c0cf6',
	},
	{
		matches: '0x88282520711793633642beb428086905fdb56a36ab10d857a16babb5d87292e6',
		records: null,
	},
	{
		matches: '0x856dea115e772f78cc9a1544af6bd89045f2c66b608443c8d092aa9cf330a3f9',
		records: null,
	},
];
