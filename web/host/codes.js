// SHA-256 of the contracts that this page was made for, those of artifacts/.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-server codes`
// writes it again.

export const CODES = {
	games: '0xa7037c7e788c26780a0bce12f43e987314202c1e5d837a5ad3f6eb9033a94ddf',
	matches: '0xa0fbb33ca8c38ea960f386c23df5ad683f0c8ff115af68d669c4b5e297945afd',
	fast: '0xed20018e77b2e18af34124ca3a1fd3d564eae54429be69e295aabd87686452aa',
	records: '0x443f435f9d35611d9171bbe714bde904524f4bacdd048f9ebe80e310f7bee1bf',
	stakes: '0x36a43530bb9f1d685776b34b0df0687ffc09ae954586f90a7c28478df3887ed4',
};
