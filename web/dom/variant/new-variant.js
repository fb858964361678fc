// The form for a new game of a variant, and moves as text on its terms.

import { COLOURS, nameOf } from '../../state/seats.js';
import { lineQuery } from '../../state/variant/form.js';
import { durationText } from '../../state/words.js';
import { texts } from '../../words/variant.js';
import { button, byId, disc, el, find, form, icon, setText, show } from '../elements.js';
import { shapeOf } from '../new-game.js';
import { addSymbols } from './symbols.js';

/** @import { NewSeat, NewVariant, State } from '../../state/types.d.ts'
 * @import { Hello, Powers, Terms } from '../../wire.d.ts' */

addSymbols();

const LIMITS = [10, 30, 60, 300, 3_600, 86_400, 604_800];
/** @type {{ power: keyof Powers, text: string }[]} */
const POWERS = [
	{ power: 'take', text: texts.takeDisc },
	{ power: 'clear', text: texts.clear },
	{ power: 'float', text: texts.floatDisc },
];

const asks = /** @type {HTMLFormElement} */ (el('form', { id: 'new-variant' }));
const classic = form('new-game');
const imported = form('import');

/**
 * @param {string} text @param {HTMLElement} control
 * @param {string} [kind]
 */
const field = (text, control, kind = 'field') => el('label', { class: kind }, text, control);

/** @param {string} name @param {[string, string][]} options values and texts @param {string} [chosen] */
const select = (name, options, chosen) =>
	/** @type {HTMLSelectElement} */ (
		el(
			'select',
			{ name },
			...options.map(([value, text]) =>
				el('option', { value, selected: value === chosen ? '' : null }, text),
			),
		)
	);

/** @param {string} name @param {[string, string][]} options @param {string} chosen */
const choice = (name, options, chosen) =>
	el(
		'span',
		{ class: 'choice' },
		...options.map(([value, text]) =>
			el(
				'label',
				{},
				el('input', { type: 'radio', name, value, checked: value === chosen ? '' : null }),
				el('span', {}, text),
			),
		),
	);

/** @param {string} name @param {string} text @param {string} help */
const check = (name, text, help) =>
	el(
		'label',
		{ class: 'check' },
		el('input', { type: 'checkbox', name }),
		el('span', {}, el('b', {}, text), el('small', {}, help)),
	);

/** @param {number} from @param {number} to @returns {[string, string][]} */
const range = (from, to) =>
	Array.from({ length: to - from + 1 }, (_, index) => [String(from + index), String(from + index)]);

/** @param {Hello} hello */
function build(hello) {
	const { least_players: least, most_players: most, most_power: times } = hello.terms;
	const { least_limit: shortest, most_limit: longest } = hello.terms;
	const limits = LIMITS.filter((limit) => limit >= shortest && limit <= longest);
	asks.replaceChildren(
		el(
			'fieldset',
			{ class: 'field' },
			el('legend', {}, texts.players),
			choice('players', range(least, most), String(most)),
		),
		el(
			'fieldset',
			{ class: 'field' },
			el('legend', {}, texts.seats),
			choice(
				'way',
				[
					['now', hello.public ? texts.onThisPage : texts.startNow],
					['table', texts.openTable],
				],
				'now',
			),
			el('ul', { class: 'new-seats' }),
			el('p', { class: 'quiet table-help' }, hello.public ? texts.tableByWallet : texts.tableHelp),
		),
		field(texts.you, select('opener', []), 'field opener'),
		field(
			texts.invited,
			el('input', {
				name: 'invited',
				autocomplete: 'off',
				autocapitalize: 'none',
				spellcheck: 'false',
				placeholder: texts.anyone,
			}),
			'field opener',
		),
		el(
			'fieldset',
			{ class: 'field' },
			el('legend', {}, texts.powers),
			el(
				'span',
				{ class: 'three' },
				...POWERS.map(({ power, text }) => {
					const label = field(text, select(power, range(0, times), '1'));
					label.prepend(icon(`i-${power}`));
					return label;
				}),
			),
		),
		el(
			'fieldset',
			{ class: 'rules' },
			el('legend', { class: 'unseen' }, texts.rules),
			check('pop_out', texts.pop, texts.popHelp),
			check('pie_rule', texts.pie, texts.pieHelp),
		),
		el(
			'div',
			{ class: 'fields' },
			field(texts.board, /** @type {HTMLElement} */ (classic.board.cloneNode(true))),
			field(
				texts.limit,
				select(
					'limit',
					[
						['', texts.noLimit],
						...limits.map(
							(limit) => /** @type {[string, string]} */ ([String(limit), durationText(limit)]),
						),
					],
					// Strangers may stop at any move.
					hello.public ? '300' : '',
				),
			),
		),
		find(classic, '.own').cloneNode(true),
		el(
			'button',
			{ class: 'button primary wide', type: 'submit', id: 'start-variant' },
			texts.start,
		),
	);
	asks.board.value = '9x7x4';
	classic.after(asks);
}

/** @type {Hello | null} */
let shown = null;

/** @param {State} state */
export function renderNewVariant({ hello, pending }) {
	if (!hello || !(hello.accounts.length || hello.public)) return;
	if (!shown) build(hello);
	if (shown !== hello) {
		// What was chosen stays at a public host, where seats have no accounts.
		if (!shown || !hello.public) fillSeats(hello);
		asks.opener.replaceChildren(...accountOptions(hello));
		shown = hello;
		arrange();
	}
	button('start-variant').disabled = Boolean(pending);
	nameStart(pending ? texts.sending : null);
}

/** Whether a wallet has to be connected for what is chosen. */
const lacksWallet = () =>
	Boolean(shown?.public && !shown.accounts.length) && asks.way.value === 'table';

/** @param {string | null} [under] what is under way */
function nameStart(under = null) {
	const opens = asks.way.value === 'table' ? texts.openIt : texts.start;
	setText(byId('start-variant'), under ?? (lacksWallet() ? texts.connectWallet : opens));
}

/** @param {Hello} hello */
function fillSeats(hello) {
	const seats = COLOURS.slice(0, hello.terms.most_players).map((colour, index) => {
		const levels = hello.levels.map(
			(level) => /** @type {[string, string]} */ ([level, texts.computerOf(level)]),
		);
		/** @type {[string, string][]} A game of this page is played at this screen alone. */
		const people = hello.public
			? [['here', texts.atScreen]]
			: [
					['here', texts.here],
					['link', texts.byLink],
				];
		const chosen = hello.public && index ? 'medium' : 'here';
		const by = select(`by-${colour}`, [...people, ...levels], chosen);
		by.setAttribute('aria-label', texts.whoPlays(colour));
		const account = select(`account-${colour}`, []);
		account.setAttribute('aria-label', texts.accountOf(colour));
		account.replaceChildren(...accountOptions(hello));
		account.selectedIndex = Math.min(index, hello.accounts.length - 1);
		show(account, !hello.public);
		return el('li', { 'data-colour': colour }, disc(colour), by, account);
	});
	find(asks, '.new-seats').replaceChildren(...seats);
}

/** @param {Hello} hello */
const accountOptions = (hello) =>
	hello.accounts.map(({ address }) =>
		el('option', { value: address, title: address }, nameOf(hello, address)),
	);

// Shows the fields that belong to what is chosen.
function arrange() {
	const count = Number(asks.players.value);
	const hasTables = !shown?.public || (shown.signing?.games && shown.signing.variants);
	if (!hasTables) asks.way.value = 'now';
	const opens = asks.way.value === 'table';
	for (const [index, colour] of COLOURS.entries()) {
		show(asks.querySelector(`[data-colour="${colour}"]`) ?? asks, index < count);
	}
	show(asks, true);
	const isOfPage = Boolean(shown?.public) && !opens;
	show(asks.limit.closest('.field'), !isOfPage);
	show(asks.querySelector('.choice:has([name=way])') ?? asks, hasTables);
	show(find(asks, '.new-seats'), !opens);
	show(find(asks, '.table-help'), opens);
	for (const part of asks.querySelectorAll('.opener')) {
		show(/** @type {HTMLElement} */ (part), opens && !lacksWallet());
	}
	const own = asks.board.value === 'own';
	show(find(asks, '.own'), own);
	for (const name of ['bins', 'capacity', 'line']) asks[name].disabled = !own;
	// The pie rule is for the fewest players.
	const pie = count === shown?.terms.least_players;
	asks.pie_rule.disabled = !pie;
	if (!pie) asks.pie_rule.checked = false;
}

/** An account plays one seat only: a seat that had it gets another one. @param {HTMLSelectElement} changed */
function keepApart(changed) {
	for (const colour of COLOURS) {
		/** @type {HTMLSelectElement | undefined} */
		const other = asks[`account-${colour}`];
		if (!other || other === changed || other.value !== changed.value) continue;
		const taken = COLOURS.map((known) => asks[`account-${known}`]?.value);
		const free = [...other.options].find(({ value }) => !taken.includes(value));
		if (free) other.value = free.value;
	}
}

/** @returns {Terms} */
const terms = () => ({
	shape: shapeOf(asks),
	players: Number(asks.players.value),
	pop_out: asks.pop_out.checked,
	pie_rule: asks.pie_rule.checked,
	powers: {
		take: Number(asks.take.value),
		clear: Number(asks.clear.value),
		float: Number(asks.float.value),
	},
	limit: asks.limit.value ? Number(asks.limit.value) : null,
});

/** @returns {NewVariant} */
function asked() {
	const agreed = terms();
	const seats = COLOURS.slice(0, agreed.players).map(
		(colour) =>
			/** @type {NewSeat} */ ({
				account: asks[`account-${colour}`].value,
				by: asks[`by-${colour}`].value,
			}),
	);
	const opener = asks.way.value === 'table' ? asks.opener.value : null;
	const invited = asks.invited.value.split(/[\s,]+/).filter(Boolean);
	return { terms: agreed, seats, opener, invited };
}

/** The address of a line of moves on the terms of the form. @param {string} moves */
export const lineOf = (moves) => lineQuery(terms(), moves);

/** @param {(form: NewVariant) => void} start */
export function watchNewVariant(start) {
	byId('which-game').addEventListener('change', ({ target }) => {
		nameMoves(/** @type {HTMLInputElement} */ (target).value === 'variant');
	});
	nameMoves(find(byId('which-game'), '[value=variant]', HTMLInputElement).checked);
	asks.addEventListener('change', ({ target }) => {
		if (target instanceof HTMLSelectElement && target.name.startsWith('account-'))
			keepApart(target);
		arrange();
		nameStart();
	});
	asks.addEventListener('submit', (event) => {
		event.preventDefault();
		if (lacksWallet()) document.getElementById('wallet-open')?.click();
		else start(asked());
	});
}

/** Says what the form for moves as text takes. @param {boolean} isVariant */
function nameMoves(isVariant) {
	const label = imported.moves.parentElement.firstChild;
	label.data = isVariant ? texts.movesOfTerms : texts.binsInOrder;
	imported.moves.placeholder = isVariant ? '45t4.1r2f3.5p4' : '44444142';
}
