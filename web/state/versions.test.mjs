import assert from 'node:assert/strict';
import { test } from 'node:test';

import { hello } from './fixtures.mjs';
import { baseOf, movedTo, pathOf } from './versions.js';

const OLD = `0x${'01'.repeat(20)}`;
const NEW = `0x${'02'.repeat(20)}`;

/** What a host says whose contracts are these. @param {string | null} contract @param {string} [before] */
function told(contract, before) {
	const said = hello().hello;
	const earlier = before ? [{ version: 3, contract: before }] : [];
	return {
		...said,
		chain: { ...said.chain, contract },
		contracts: { version: 4, is_earlier: false, earlier },
	};
}

test('contracts of an earlier version are below a path of their own', () => {
	assert.equal(baseOf('/game/5'), '');
	assert.equal(baseOf('/'), '');
	assert.equal(baseOf('/earlier/3'), '/earlier/3');
	assert.equal(baseOf('/earlier/3/game/5'), '/earlier/3');
	assert.equal(baseOf('/earlier/three/game/5'), '');
	assert.equal(baseOf('/earlier/3x/game/5'), '');
	assert.equal(baseOf(`${pathOf(12)}/`), '/earlier/12');
});

test('a game goes on at its own contracts when the host has changed over to the next ones', () => {
	assert.equal(movedTo(OLD, told(NEW, OLD), '/game/5?move=3'), '/earlier/3/game/5?move=3');
	assert.equal(movedTo(OLD, told(NEW, OLD), '/'), '/', 'the lobby is that of the newest');
	assert.equal(movedTo(null, told(NEW, OLD), '/game/5'), null, 'the page is opened');
	assert.equal(movedTo(OLD, told(OLD), '/game/5'), null);
	assert.equal(movedTo(OLD, told(null), '/game/5'), null, 'the chain is away');
	assert.equal(
		movedTo(OLD, told(NEW), '/game/5'),
		null,
		'contracts of somebody else are asked about',
	);
});

test('what is no address of the page leads to its lobby, never to another site', () => {
	for (const path of [
		'//evil.example/',
		'//evil.example/game/5',
		'/game/5//',
		'/nothing?x=1',
		'',
	]) {
		assert.equal(movedTo(OLD, told(NEW, OLD), path), '/', path);
	}
	const line = '/line?bins=7&capacity=6&line=4&moves=44';
	assert.equal(movedTo(OLD, told(NEW, OLD), line), line);
});
