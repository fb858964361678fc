// The number of pallet-revive on a chain, which the page can't look up: what was used before counts. It may
// change with the runtime, whose version is signed, so that a host can't name another one.

import { guard } from './guards.js';

/** @import { Payload } from '../wire.d.ts' */

/** The runtime whose pallet it is: the genesis of its chain and its version. @param {Payload} payload */
const runtimeOf = ({ genesisHash, specVersion }) => `${genesisHash} ${Number(specVersion)}`;

/** The number of the pallet by runtime; as earlier pages kept it, of one runtime of a chain, by its genesis. @typedef {Record<string, number | { version: number, pallet: number }>} Pallets */

/** @type {Pallets} */
const NONE = {};
const pallets = guard('pallets', NONE, (kept, before) => {
	const taken = Object.entries(before).map(([name, of]) =>
		typeof of === 'number' ? [name, of] : [`${name} ${of.version}`, of.pallet],
	);
	return { ...Object.fromEntries(taken), ...kept };
});

/** The pallet whose call this is: its number is the first byte. @param {Payload} payload */
const palletOf = ({ method }) => Number.parseInt(method.slice(2, 4), 16);

/** Whether a call is one of contracts, as far as is known. @param {Payload} payload */
export async function isPallet(payload) {
	const known = (await pallets.read())[runtimeOf(payload)];
	return known === undefined || known === palletOf(payload);
}

/** Keeps the pallet of a call that was in a block. @param {Payload} payload */
export const keepPallet = (payload) =>
	pallets.change((kept) => ({ [runtimeOf(payload)]: palletOf(payload), ...kept }));
