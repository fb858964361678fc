// Amounts that players type in, by the units of the chain that is signed for.

import { exactAmount } from '../state/text.js';
import { texts } from '../words/host.js';
import { WalletError } from './ethereum.js';
import { session } from './session.js';

/** An amount that a player typed in, in the token's smallest unit. @param {string} text */
export function amount(text) {
	// By what is signed, whatever the page shows by now.
	const { decimals, symbol } = session.chain ?? {};
	const match = /^(\d*)(?:\.(\d*))?$/.exec(text.trim());
	const fraction = match?.[2] ?? '';
	if (!match || !(match[1] || fraction) || fraction.length > (decimals ?? 0)) {
		throw new WalletError(texts.stakeForm(symbol ?? 'tokens'), 'failed');
	}
	return BigInt((match[1] || '0') + fraction.padEnd(decimals ?? 0, '0'));
}

/** An amount in the unit that contracts see. @param {bigint} payment */
export const inContracts = (payment) => String(payment * (session.chain?.ratio ?? 1n));

/** An amount in the unit that contracts see, in words. @param {string} units */
export function contractAmount(units) {
	const { chain } = session;
	if (!chain) return '';
	return exactAmount(String(BigInt(units) / chain.ratio), chain);
}
