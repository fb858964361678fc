// SHA-256 of the contracts that this page was made for, those of artifacts/.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-server codes`
// writes it again.

export const CODES = {
	games: '0xc1335c18e024643d8a7acc747679f0fa754e392c80c3de21b3bda344d20b4640',
	variants: '0x8f1a0867b789042a0a4f7a39052eaa77474586bfb02ab655ac37b1d26bb19ab3',
	stakes: '0x49586f3f6988cb1ca707e62df3658b012c79ba43522c616dabbbcd0efff3869f',
};
