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
		'0x4f4058dcf161e2764a0cefdb7924c14a0637d61bad5241d35f6926c3578565ae',
		'0xd250c3673b70d6253879f0e2f3cadd14d77e9c0fca6ba408929fe79675a77ca7',
		'0xa8e15dd61be89f83a4e6aefa0f09b2afb6c144cc34a3c423c8fa3499c7cbcd09',
	],
	fast: [
		'0xc0493c356c00ce987097ab6ace0cc428a52396b96f020afc734993af935e67a5',
		'0xc7e465bf24834f0b180f20858cf0b4adb4cfac3c93bef3b51c9cd5d7c2623f64',
	],
	records: ['0xc8d1bac9ef05507aeacbb84b6aa305359c1f5665d490f06f62e445db04e36bd0'],
};
