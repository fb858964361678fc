import assert from 'node:assert/strict';
import { test } from 'node:test';

import { texts } from '../words/terms.js';
import { fragmentIn, fragmentOf, offerOf } from './invite.js';
import { inviteText } from './invite-text.js';

const DIGITS = '00112233445566778899aabbccddeeff';
const OFFER = `connect4-offer:${DIGITS}`;
/** @returns {any} */
const sought = (/** @type {string} */ phase, note = '') => ({
	phase,
	invite: OFFER,
	note,
	game: null,
});

test('an offer that was sent as text is opened as a link is', () => {
	assert.equal(fragmentIn(OFFER), fragmentOf(OFFER));
	assert.equal(fragmentIn(`https://games.example/${fragmentOf(OFFER)}`), fragmentOf(OFFER));
	assert.equal(fragmentIn('44553'), null);
	assert.equal(offerOf(fragmentIn('connect4-offer:0x') ?? ''), '');
});

test('an address has an offer by its digits alone', () => {
	assert.equal(fragmentOf(OFFER), `#offer=${DIGITS}`);
	assert.equal(offerOf(fragmentOf(OFFER)), OFFER);
	for (const hash of [
		'',
		'#',
		'#offer=',
		`#offer=${DIGITS.toUpperCase()}`,
		`#offer=${'0'.repeat(1282)}`,
		`#offer=${DIGITS.slice(1)}`,
		`#offer=${DIGITS}&more`,
		`#key=${DIGITS}`,
	])
		assert.equal(offerOf(hash), '', hash);
});

test('both who wait are told what they wait for', () => {
	assert.match(inviteText(true, null, false), /Connecting/);
	assert.match(inviteText(true, sought('waiting'), true), /Send the link/);
	assert.match(inviteText(false, sought('looking'), false), /Looking for your friend/);
	assert.match(
		inviteText(false, sought('looking'), true),
		/not open at the moment, or the link was used/,
	);
	assert.match(inviteText(true, sought('unpaid'), true), /pays first.*can be taken again/);
	for (const mine of [true, false]) {
		assert.match(inviteText(mine, sought('pairing'), true), /the game begins/);
		assert.match(inviteText(mine, sought('away', 'it is full'), true), /can’t be reached/);
	}
});

test('a player who opens the own link is not sent to a friend for another one', () => {
	assert.equal(inviteText(false, sought('own', texts.ownLink), true), texts.ownLink);
});

test('a third who opens the link is told that it is taken', () => {
	const text = inviteText(false, sought('failed', 'Somebody else was faster.'), true);
	assert.equal(text, 'Somebody else was faster. Ask your friend for a new link, or try again.');
	assert.equal(
		inviteText(true, sought('failed', 'You refused in Wallet.'), true),
		'You refused in Wallet.',
	);
});
