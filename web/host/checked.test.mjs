import assert from 'node:assert/strict';
import { test } from 'node:test';

import { checkedBy } from './checked.js';
import { factsOf } from './compare.js';

const OWN = 'the node rpc.example';
const WALLET = 'your wallet’s own node';
/** @type {import('./node.js').NamedNode} */
const NODE = { url: 'https://rpc.example/', name: 'rpc.example', state: 'there', why: '' };
/** @type {import('./checked.js').Verdict} */
const VERDICT = { game: '0', by: OWN, compared: 'same', turns: 6, of: 6, facts: '', why: '' };
/** Game 0, as far as it is looked at. @type {any} */
const GAME = {
	...{ game: '0', turns: 6, freed: false, over: false, winner: null, to_move: 'red' },
	...{ players: [], board: [], swapped: false, deadline: null },
};
VERDICT.facts = factsOf(GAME);

/** What is said of game 0, of which these things are known. @param {object} [known] */
const said = ({ view = {}, ...known } = /** @type {any} */ ({})) =>
	checkedBy({
		view: { ...GAME, ...view },
		own: null,
		named: null,
		mayName: true,
		verdict: null,
		...known,
	});

/** @param {object} known */
const text = (known) => said(known).text;

test('without a node the host’s word is taken, and a node can be named', () => {
	assert.deepEqual(said(), {
		kind: 'not',
		text: 'Not checked: taken from this host’s word.',
		change: 'Check it by a node',
	});
	// Where there are no such nodes, none is asked for.
	assert.equal(said({ mayName: false }).change, null);
});

test('what a node has of the game', () => {
	const by = (/** @type {object} */ verdict) =>
		said({ own: OWN, named: NODE, verdict: { ...VERDICT, ...verdict } });
	assert.deepEqual(by({}), {
		kind: 'checked',
		text: 'Checked by the node rpc.example',
		change: null,
	});
	assert.equal(
		by({ compared: 'behind', turns: 5 }).text,
		'Checked by the node rpc.example up to move 5 of 6',
	);
	assert.equal(by({ compared: 'behind', turns: 0 }).kind, 'waiting');
	const ends = by({ compared: 'behind' });
	assert.match(ends.text, /has no end of the game yet/);
	assert.equal(ends.kind, 'waiting', 'that was not compared');
	assert.equal(by({ compared: 'ahead' }).kind, 'wrong');
	assert.equal(by({ compared: 'other' }).kind, 'wrong');
	const untold = by({ compared: null, why: 'execution reverted' });
	assert.deepEqual([untold.kind, untold.change], ['not', 'Change the node']);
	assert.match(untold.text, /does not tell this game \(execution reverted\)/);
	assert.equal(said({ own: OWN, named: NODE }).kind, 'waiting');
});

test('moves that came since the node was looked at are not checked', () => {
	const known = { own: OWN, named: NODE, verdict: VERDICT };
	const now = said({ ...known, view: { turns: 7 } });
	assert.equal(now.text, 'Checked by the node rpc.example up to move 6 of 7');
	// What is another game of as many moves was not looked at yet.
	assert.equal(said({ ...known, view: { to_move: 'blue' } }).kind, 'waiting');
});

test('a node that is asked, away, or not one of this game', () => {
	assert.equal(said({ named: { ...NODE, state: 'asked' } }).kind, 'waiting');
	const away = { ...NODE, state: 'away' };
	assert.deepEqual(said({ named: away }), {
		kind: 'not',
		text: 'Not checked: the node rpc.example does not answer. Until it does, the board is taken from this host’s word.',
		change: 'Change the node',
	});
	const unfit = { ...NODE, state: 'unfit', why: 'The node rpc.example is one of another chain.' };
	assert.equal(
		text({ named: unfit }),
		'Not checked: the node rpc.example is one of another chain. So the board is taken from this host’s word.',
	);
	// The wallet's own node steps in, and both is said.
	const verdict = { ...VERDICT, by: WALLET };
	assert.deepEqual(said({ own: WALLET, named: away, verdict }), {
		kind: 'checked',
		text: 'Checked by your wallet’s own node. The node rpc.example does not answer.',
		change: 'Change the node',
	});
});

test('a game that the chain has no more can be compared with nothing', () => {
	const { text, change } = said({ view: { freed: true }, own: OWN, named: NODE, verdict: VERDICT });
	assert.match(text, /^Not checked: the chain has this game no more/);
	assert.equal(change, null);
});

test('the node that a host has named to the wallet is not the player’s own', () => {
	const given = 'the node that a host gave your wallet';
	const by = (/** @type {string} */ compared) =>
		said({ given, verdict: { ...VERDICT, by: given, compared } });
	assert.deepEqual(by('same'), {
		kind: 'not',
		text: 'Compared with no node but the node that a host gave your wallet',
		change: 'Check it by a node',
	});
	// What differs is told all the same.
	assert.equal(by('other').kind, 'wrong');
	assert.equal(by('other').change, 'Check it by a node');
	assert.equal(said({ given }).kind, 'waiting');
});
