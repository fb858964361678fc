// Values as text for people.

/** @import { Shape } from './types.d.ts' */

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {string} text an address or a hash; a name is short enough already */
export const short = (text) => (text.length > 13 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text);

/** @param {Shape} shape */
export const shapeText = ({ bins, capacity, line }) =>
	`${bins} × ${capacity}${line === 4 ? '' : `, line ${line}`}`;

/**
 * Rounds an amount: two significant digits below 1, two decimals from there.
 * @param {string} amount such as 0.006236331 DOT
 */
export function amountText(amount) {
	const [number, ...symbol] = amount.split(' ');
	const digits =
		Number(number) < 1 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 2 };
	const rounded = Number(number).toLocaleString('en', { useGrouping: false, ...digits });
	return [rounded, ...symbol].join(' ');
}
