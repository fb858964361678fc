// Two guests who have just signed terms in a lobby, for tests.

import { CHAIN_ID, CONTRACT, SECRETS } from '../host/fakes.mjs';
import { fromHex, toHex } from '../host/hex.js';
import { ask } from '../host/wasm.js';

/** @import { InLobby, InLobbyNow } from '../ask.d.ts' */

export const NOW = 1_800_000_000;
export const PLACE = { chain_id: CHAIN_ID, contract: CONTRACT };
const ID = 1;

/** Little-endian bytes. @param {number} value @param {number} length */
const little = (value, length) =>
	Uint8Array.from({ length }, (_, at) => Number((BigInt(value) >> BigInt(8 * at)) & 0xffn));

/** @param {(number[] | Uint8Array)[]} parts */
const frame = (...parts) => toHex(Uint8Array.from(parts.flatMap((part) => [...part])));

/**
 * Terms that both have signed: the first guest is player one.
 * @param {{ pie_rule?: boolean, random?: number }} [how] `random` makes other terms
 */
export async function agreed({ pie_rule = false, random = 3 } = {}) {
	/** @type {(string | null)[]} */
	const visits = [null, null];
	/** @param {number} who @param {InLobby} step @returns {Promise<InLobbyNow>} */
	const take = async (who, step) => {
		const secret = SECRETS[who] ?? '';
		const taken = await ask({
			lobby: {
				who: { secret, account: null, session: null },
				visit: visits[who] ?? null,
				now: NOW,
				random: `0x${random.toString(16).padStart(2, '0').repeat(32)}`,
				step,
			},
		});
		visits[who] = taken.visit;
		return taken;
	};
	/** @param {InLobbyNow} taken */
	const sent = ({ send }) => fromHex(send[0] ?? '0x');
	const welcome = [
		...[[0], new Uint8Array(32).fill(7), little(CHAIN_ID, 8), fromHex(CONTRACT), little(NOW, 8)],
	];
	for (const who of [0, 1]) await take(who, { hear: frame(...welcome) });
	const wish = {
		shape: { bins: 7, capacity: 6, line: 4 },
		pie_rule,
		pool: 0,
		clock: { bank: 300, increment: 5 },
		side: /** @type {const} */ ('first'),
	};
	const sought = sent(await take(0, { seek: { wish, invite: null } }));
	// Without the kind of the message before it, and the invite after it.
	const signed = sought.subarray(1, -1);
	const listed = frame([1], little(ID, 8), [0], signed);
	await take(0, { hear: listed });
	await take(1, { hear: listed });
	const answer = sent(await take(1, { answer: { id: ID, signed: toHex(signed) } }));
	// The number of the seek stands where that of the answer is told.
	const accept = sent(await take(0, { hear: frame([3], little(ID, 8), answer.subarray(9)) }));
	const { said } = await take(1, { hear: frame([5], little(ID, 8), accept.subarray(9)) });
	if (!said || typeof said !== 'object' || !('paired' in said)) throw new Error('not paired');
	return said.paired;
}
