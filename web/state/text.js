// Values as text for people.

import { texts } from '../words/page.js';

/** @import { Token } from './types.d.ts'
 * @import { Amount, Shape } from '../wire.d.ts' */

/** @param {string} text an address or a hash */
export const short = (text) => (text.length > 13 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text);

/** What is said of something that has failed. @param {unknown} failure */
export const reason = (failure) => (failure instanceof Error ? failure.message : String(failure));

/** The discs of a game on a board alone: its moves as text without the swap, which changes no disc. @param {string} notation */
export const discsOf = (notation) => notation.replace('s', '');

/** @param {Shape} shape */
export const shapeText = ({ bins, capacity, line }) =>
	line === 4 ? `${bins} × ${capacity}` : texts.line(`${bins} × ${capacity}`, line);

/** An amount with all its digits. @param {Amount} amount @param {Token} token */
export function exactAmount(amount, { symbol, decimals }) {
	const digits = amount.padStart((decimals ?? 0) + 1, '0');
	const point = digits.length - (decimals ?? 0);
	const fraction = digits.slice(point).replace(/0+$/, '');
	const number = fraction ? `${digits.slice(0, point)}.${fraction}` : digits.slice(0, point);
	return symbol ? `${number} ${symbol}` : number;
}

/**
 * An amount for reading: two significant digits below one token, two decimals from there.
 * @param {Amount} amount @param {Token} token
 */
export function amountText(amount, token) {
	const [number, ...symbol] = exactAmount(amount, token).split(' ');
	const digits =
		Number(number) < 1 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 2 };
	const rounded = Number(number).toLocaleString('en', { useGrouping: false, ...digits });
	return [rounded, ...symbol].join(' ');
}

/** Whether an amount is more than nothing. @param {Amount | null} [amount] */
export const isSome = (amount) => Boolean(amount && amount !== '0');
