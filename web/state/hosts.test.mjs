import assert from 'node:assert/strict';
import { test } from 'node:test';

import { chooseHosts } from './hosts.js';

const OWN = 'https://games.example https://other.example';
const EVIL = 'https://evil.example';

test('a page that a host serves uses that host, whatever a link says', () => {
	for (const linked of [null, '', EVIL]) {
		assert.deepEqual(chooseHosts('', linked, EVIL), { hosts: [''], chosen: null });
	}
});

test('a link’s host comes before those of the page, and is told to be no host of the page', () => {
	const own = ['https://games.example', 'https://other.example'];
	assert.deepEqual(chooseHosts(OWN, null, null), { hosts: own, chosen: null });
	assert.deepEqual(chooseHosts(OWN, `${EVIL}/path`, null), {
		hosts: [EVIL, ...own],
		chosen: { host: EVIL, isKept: false },
	});
	assert.deepEqual(chooseHosts(OWN, null, EVIL).chosen, { host: EVIL, isKept: true });
	// One of the page's own is only moved to the front.
	assert.deepEqual(chooseHosts(OWN, 'https://other.example', null), {
		hosts: ['https://other.example', 'https://games.example'],
		chosen: null,
	});
	assert.deepEqual(chooseHosts(OWN, 'nonsense', ''), { hosts: own, chosen: null });
});
