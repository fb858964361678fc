// SHA-256 of the contracts that this page was made for, those of artifacts/, and of those of earlier
// versions.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-server codes`
// writes it again.

export const CODES = {
	games: [
		'0x8d95644024f28d1a65ab5208809f005d9d6b754b7af3800f19220fdaafc26de3',
		'0xc7b3e8bf82ed8c6a7198ac1af3e35d1ab6bf5ea2b806e0aa85ad5fa14e871758',
	],
	matches: [
		'0xad209d43e6da8eb0c9d57206e1cda97cf76d4914976b2bcc5225ef62deeb3b77',
		'0xd250c3673b70d6253879f0e2f3cadd14d77e9c0fca6ba408929fe79675a77ca7',
		'0xa8e15dd61be89f83a4e6aefa0f09b2afb6c144cc34a3c423c8fa3499c7cbcd09',
	],
	fast: [
		'0x0cb429be883c48b774ed5470af86731eeb16b2ed0c15846e974b18f1af723408',
		'0xc7e465bf24834f0b180f20858cf0b4adb4cfac3c93bef3b51c9cd5d7c2623f64',
	],
	records: ['0x52c9e6ba59e2e70ec8decb0a281ba72560af49c6d3c4caf7af4c126f8f96e50c'],
};
