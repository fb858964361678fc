// Keccak-256 of what the contract of the matches is deployed with: its code of artifacts/, and the input of
// its constructor, which names the code of the games and of the fast games; and of what the contract of the
// records is deployed with.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-browser deployed_with`
// writes it again.

export const INIT_CODES = {
	matches: '0x75fa21caf0a965767d26031e581962b5da7157e5b01f32cd91b186ae140f1b1a',
	records: '0xdb224a31008b159e932f9643f8e894f8de75b09b60b09302e3cb41b4738a01ab',
};
