// SHA-256 of the contracts that this page was made for, those of artifacts/, and of those of earlier
// versions.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-server codes`
// writes it again.

export const CODES = {
	games: [
		'0xa7037c7e788c26780a0bce12f43e987314202c1e5d837a5ad3f6eb9033a94ddf',
		'0xc7b3e8bf82ed8c6a7198ac1af3e35d1ab6bf5ea2b806e0aa85ad5fa14e871758',
	],
	matches: [
		'0xa0fbb33ca8c38ea960f386c23df5ad683f0c8ff115af68d669c4b5e297945afd',
		'0xd250c3673b70d6253879f0e2f3cadd14d77e9c0fca6ba408929fe79675a77ca7',
		'0xa8e15dd61be89f83a4e6aefa0f09b2afb6c144cc34a3c423c8fa3499c7cbcd09',
	],
	fast: [
		'0xed20018e77b2e18af34124ca3a1fd3d564eae54429be69e295aabd87686452aa',
		'0xc7e465bf24834f0b180f20858cf0b4adb4cfac3c93bef3b51c9cd5d7c2623f64',
	],
	records: ['0x443f435f9d35611d9171bbe714bde904524f4bacdd048f9ebe80e310f7bee1bf'],
	stakes: ['0x36a43530bb9f1d685776b34b0df0687ffc09ae954586f90a7c28478df3887ed4'],
};
