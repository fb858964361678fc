// SHA-256 of the contracts that this page was made for, those of artifacts/.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-server codes`
// writes it again.

export const CODES = {
	games: '0xa7037c7e788c26780a0bce12f43e987314202c1e5d837a5ad3f6eb9033a94ddf',
	matches: '0xc0d9fc31e6e03d2e5a6dfdf886dfe24a23b50066d174d26e3a6b0f0a8fbda176',
	stakes: '0xd6d6e8113df8e3da19ef6c1513677d29fd91b6983b43dee3f433d315a7534b08',
};
