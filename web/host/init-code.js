// Keccak-256 of what the contract of the matches is deployed with: its code of artifacts/, and the input of
// its constructor, which names the code of the games and of the fast games. Those of earlier versions follow.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-browser deployed_with`
// writes it again.

export const INIT_CODES = [
	'0x88282520711793633642beb428086905fdb56a36ab10d857a16babb5d87292e6',
	'0x856dea115e772f78cc9a1544af6bd89045f2c66b608443c8d092aa9cf330a3f9',
];
