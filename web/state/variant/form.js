// What the form for a new variant asks the program for.

/** @import { NewSeat, NewVariant, Requests, StartHere, ViewedGame } from '../types.d.ts'
 * @import { Address, Terms } from '../../wire.d.ts' */

/**
 * The request that a form stands for.
 * @param {NewVariant} form
 * @returns {Requests}
 */
export function requests({ terms, seats, opener, invited }) {
	if (opener !== null) {
		const players = invited.length ? [opener, ...invited] : [];
		return { table: { terms, account: opener, players }, plays: [opener] };
	}
	const played = seats.map(({ account, by }) => ({
		account,
		level: by === 'here' || by === 'link' ? null : by,
	}));
	const plays = seats.filter(({ by }) => by === 'here').map(({ account }) => account);
	return { start: { kind: 'variant', terms, seats: played }, plays };
}

/** The game of this page that a form stands for. @param {NewVariant} form @returns {StartHere} */
export const hereOf = ({ terms, seats }) => ({
	terms: { ...terms, limit: null },
	seats: seats.map(({ by }) => (by === 'here' || by === 'link' ? null : by)),
});

/**
 * The same game again, in which the turn order has moved on by one.
 * @param {ViewedGame} view @param {Address[] | undefined} plays the accounts played here, if chosen
 * @returns {NewVariant}
 */
export function again({ terms, players }, plays) {
	const seats = players.map(({ account, computer }) => {
		const here = plays?.includes(account ?? '') ?? true;
		const by = computer?.level ?? (here ? 'here' : 'link');
		return /** @type {NewSeat} */ ({ account: account ?? '', by });
	});
	return { terms, seats: [...seats.slice(1), ...seats.slice(0, 1)], opener: null, invited: [] };
}

/** The address of a line of moves. @param {Terms} terms @param {string} moves */
export function lineQuery({ shape, players, pop_out: popOut, pie_rule: pieRule, powers }, moves) {
	const { bins, capacity, line } = shape;
	const { take, clear, float } = powers;
	const query = new URLSearchParams();
	const named = { bins, capacity, line, players };
	for (const [name, value] of Object.entries(named)) query.set(name, String(value));
	if (popOut) query.set('pop_out', 'true');
	if (pieRule) query.set('pie_rule', 'true');
	for (const [name, value] of Object.entries({ take, clear, float })) {
		if (value) query.set(name, String(value));
	}
	query.set('moves', moves);
	return query.toString();
}
