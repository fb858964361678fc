// What is said of an invitation.

/** @import { State } from './types.d.ts' */

/** In the browser's storage, of a tab: the invitation that stands. */
export const INVITE = 'invite';

/** The code of an invitation in the fragment of an address; empty if there is none. @param {string} hash */
export const codeOf = (hash) => /^#join=([0-9a-f]{32})$/.exec(hash)?.[1] ?? '';

const MINE = {
	connecting: 'Connecting to the relay …',
	waiting:
		'Send the link to your friend. The game begins by itself once it is opened, while this page is open.',
	pairing: 'Your friend is there: the game begins …',
	away: 'The relay can’t be reached at the moment. The link stays as it is.',
};
const THEIRS = {
	connecting: 'Connecting to the relay …',
	looking: 'Looking for your friend …',
	pairing: 'Your friend is there: the game begins …',
	away: 'The relay can’t be reached at the moment.',
};
const ABSENT =
	'Your friend’s page is not open at the moment, or the link was used already. The game begins by itself once your friend is there: keep this page open, or ask for a new link.';

/** What is said to a player who opens the own link, where the same account seeks on another device. */
export const OWN =
	'This is your own link. Send it to a friend: the game begins on the device that made it, while its page is open there.';

/**
 * What is said of an invitation.
 * @param {boolean} mine whether it is this player's, else a friend's
 * @param {State['seek']} sought null if nothing is known of it yet
 * @param {boolean} isLong whether it was looked for a while
 */
export function inviteText(mine, sought, isLong) {
	const phase = sought?.phase ?? 'connecting';
	const note = sought?.note ?? '';
	if (phase === 'failed')
		return mine ? note : `${note} Ask your friend for a new link, or try again.`.trim();
	if (!mine && phase === 'looking' && isLong) return ABSENT;
	/** @type {Partial<Record<typeof phase, string>>} */
	const texts = mine ? MINE : THEIRS;
	return texts[phase] ?? note;
}
