// How values are written for people.

/** @param {string} text @returns {string} */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {string} text an address or a hash @returns {string} */
export const short = (text) => (text.length > 13 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text);

/** @param {object} shape @returns {string} */
export const shapeText = ({ bins, capacity, line }) =>
  `${bins} × ${capacity}${line === 4 ? '' : `, line ${line}`}`;

/** @param {string} amount such as 0.006236331 DOT @returns {string} the same, as exactly as people ask: 0.0062 DOT */
export function amountText(amount) {
  const [number, ...symbol] = amount.split(' ');
  const digits =
    Number(number) < 1 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 2 };
  return [Number(number).toLocaleString('en', { useGrouping: false, ...digits }), ...symbol].join(
    ' ',
  );
}
