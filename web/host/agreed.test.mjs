// What a player has agreed to, against the game that a host shows.

import assert from 'node:assert/strict';
import test from 'node:test';

import { difference } from './agreed.js';

const shape = { bins: 7, capacity: 6, line: 4 };
/** @param {boolean} pieRule @returns {any} */
const shown = (pieRule) => ({ game: { terms: { shape } }, pie_rule: pieRule });
const agreed = { shape, clock: null, stake: '7' };

test('a game with another rule about the first disc than was agreed on is refused', () => {
	assert.equal(difference({ ...agreed, pie_rule: true }, shown(true)), '');
	assert.match(
		difference({ ...agreed, pie_rule: true }, shown(false)),
		/the pie rule is no part of it, where part of it was agreed/,
	);
	assert.match(
		difference({ ...agreed, pie_rule: false }, shown(true)),
		/the pie rule is part of it/,
	);
	// Keys of earlier pages: no game had it.
	assert.equal(difference(agreed, shown(false)), '');
	assert.match(difference(agreed, shown(true)), /Nothing is signed/);
});
