// Keccak-256 of what the contract of the matches is deployed with: its code of artifacts/, and the input of
// its constructor, which names the code of the games and of the fast games; and of what the contract of the
// records is deployed with. Those of earlier versions follow, which have no records.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-browser deployed_with`
// writes it again.

export const INIT_CODES = [
	{
		matches: '0x1b7eae1946c74c5fb88ad6f61116ac7b1e599cbabc8c2867f9bc0c3e305ae7f4',
		records: '0x73a2183c36680810b20bbe575b26c7c33d6b9de6a272ed36ae9ceb1fdb597ef3',
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
