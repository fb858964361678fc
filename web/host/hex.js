// Bytes, and numbers of Ethereum's JSON-RPC, as `0x` and hexadecimal digits.

/** @param {Uint8Array} bytes */
export const toHex = (bytes) =>
	`0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;

/** @param {string} hex */
export const fromHex = (hex) =>
	Uint8Array.from(hex.slice(2).match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));

/** A number of Ethereum's JSON-RPC. @param {number | bigint} number */
export const quantity = (number) => `0x${number.toString(16)}`;
