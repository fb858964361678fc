import assert from 'node:assert/strict';
import { test } from 'node:test';

import { chooseHosts } from './hosts.js';

const OWN = 'https://games.example https://other.example';
const EVIL = 'https://evil.example';

const NAMES = ['https://games.example', 'https://other.example'];
const OF_PAGE = { hosts: NAMES, chosen: null, asked: null };

test('a page that a host serves uses that host, whatever a link says', () => {
	for (const linked of [null, '', EVIL]) {
		const by = { linked, agreed: EVIL, kept: EVIL };
		assert.deepEqual(chooseHosts('', by), { hosts: [''], chosen: null, asked: null });
	}
});

test('a link’s host is asked about first, and then told to be no host of the page', () => {
	assert.deepEqual(chooseHosts(OWN, {}), OF_PAGE);
	assert.deepEqual(chooseHosts(OWN, { linked: `${EVIL}/path` }), { ...OF_PAGE, asked: EVIL });
	const used = { hosts: [EVIL, ...NAMES], chosen: { host: EVIL, isKept: false }, asked: null };
	assert.deepEqual(chooseHosts(OWN, { agreed: EVIL }), used);
	assert.deepEqual(chooseHosts(OWN, { linked: EVIL, agreed: EVIL }), used);
	const kept = { ...used, chosen: { host: EVIL, isKept: true } };
	assert.deepEqual(chooseHosts(OWN, { kept: EVIL }), kept);
	assert.deepEqual(chooseHosts(OWN, { linked: EVIL, kept: EVIL }), kept);
	// One does not speak for another one.
	const asked = 'https://worse.example';
	assert.deepEqual(chooseHosts(OWN, { linked: asked, agreed: EVIL }), { ...used, asked });
	// One of the page's own is only moved to the front.
	assert.deepEqual(chooseHosts(OWN, { linked: 'https://other.example', agreed: EVIL }), {
		...OF_PAGE,
		hosts: ['https://other.example', 'https://games.example'],
	});
});

test('what a page can’t ask is no host', () => {
	const others = ['nonsense', '', 'data:,x', 'file:///x', 'blob:https://evil.example/1'];
	for (const text of [...others, 'javascript:alert(1)', 'ftp://evil.example', 'about:blank']) {
		assert.deepEqual(chooseHosts(OWN, { linked: text, agreed: text, kept: text }), OF_PAGE, text);
	}
	assert.equal(chooseHosts(`data:,x ${OWN}`, {}).hosts[0], 'https://games.example');
	assert.equal(chooseHosts(OWN, { linked: 'http://127.0.0.1:1/x' }).asked, 'http://127.0.0.1:1');
});
