// What is said of an invitation.

import { texts } from '../words/invite.js';

/** @import { State } from './types.d.ts' */

/**
 * What is said of an invitation.
 * @param {boolean} mine whether it is this player's, else a friend's
 * @param {State['seek']} sought null if nothing is known of it yet
 * @param {boolean} isLong whether it was looked for a while
 */
export function inviteText(mine, sought, isLong) {
	const phase = sought?.phase ?? 'connecting';
	const note = sought?.note ?? '';
	if (phase === 'failed') return mine ? note : [note, texts.askForNew].filter(Boolean).join(' ');
	// Why the lobby can't be used stands before what can be done without it.
	if (!mine && isLong && mayPayUnasked(sought)) {
		return [note, texts.absentStaked].filter(Boolean).join(' ');
	}
	if (!mine && phase === 'looking' && isLong) return texts.absent;
	/** @type {Partial<Record<typeof phase, string>>} */
	const known = mine ? texts.mine : texts.theirs;
	return known[phase] ?? note;
}

/** Whether a stake can be paid although its player is not there. @param {State['seek']} sought */
export const mayPayUnasked = (sought) =>
	Boolean(sought?.staked) && (sought?.phase === 'looking' || sought?.phase === 'away');
