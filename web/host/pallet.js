// The number of pallet-revive on a chain, which the page can't look up: what was used before counts. It may
// change with the runtime, whose version is signed, so that a host can't name another one.

import { changeKept, recall } from '../storage.js';

/** @import { Payload } from '../wire.d.ts' */

/** In the browser's storage: the number of the pallet, by genesis and version of the runtime. */
const PALLETS = 'pallets';

/** @type {Record<string, { version: number, pallet: number }>} */
const NONE = {};
const pallets = () => recall(PALLETS, NONE);

/** The pallet whose call this is: its number is the first byte. @param {Payload} payload */
const palletOf = ({ method }) => Number.parseInt(method.slice(2, 4), 16);

/** Whether a call is one of contracts, as far as is known. @param {Payload} payload */
export function isPallet(payload) {
	const known = pallets()[payload.genesisHash];
	return known?.version !== Number(payload.specVersion) || known.pallet === palletOf(payload);
}

/** Keeps the pallet of a call that was in a block. @param {Payload} payload */
export const keepPallet = (payload) =>
	changeKept(PALLETS, NONE, (kept) => ({
		...kept,
		[payload.genesisHash]: { version: Number(payload.specVersion), pallet: palletOf(payload) },
	}));
