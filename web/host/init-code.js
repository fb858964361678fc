// Keccak-256 of what the contract of the matches is deployed with: its code of artifacts/, and the input of
// its constructor, which names the code of the contracts that it deploys. Of the contract of the stakes the hash is
// begun, as the chain's first block is part of it: the state after the last whole block, and the bytes after that.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-browser deployed_with`
// writes it again.

export const INIT_CODES = {
	matches: '0x212e202cebfbcbed109a9d3905e001ba3f072c175f106f068d2dff38a5f623e4',
	stakes:
		'0x243bc3200c2c499019127d0deb6f52e09f3638381b4a56d05200224d190ee6e4e494d7890486cf0071bc95d8cba8a21d01b33fb2153470131bb3d3edde54e9ee8114de64e3ec5d1054f2b05786b05faf89a3dd65a38510c31b3473115bf2da9284604ec6fd01cf12ccca577b92edce7a04ecf1afa0bfe67c0ae396569879c2c9f743a0e51d93d14403c170ab5f9e92f529f5a42e81148a1dc038a41764597b113f6f7a7c53fc5571d599518db4360e0acf2a67de7c2e9ba5174d9c6acf139c7ffee5913e5cfb60d025494925519292542a495552494a92aa829224a94a92644952922aa4a0942425492989888888924444041040000144440410400001444424494929292528a5889228494495945452121151454549a22425495522924402009bae9d5e',
};
