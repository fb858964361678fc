// The powers that each player has left, on the players' cards.

import { isVariant } from '../../state/seats.js';
import { powersAt } from '../../state/variant/choice.js';
import { POWERS } from '../../state/words.js';
import { texts } from '../../words/variant.js';
import { el, icon, refill } from '../elements.js';
import { cardOf } from '../players.js';

/** @import { Shown } from '../../state/types.d.ts'
 * @import { Colour, Powers } from '../../wire.d.ts' */

/** @type {Map<Colour, HTMLElement>} */
const places = new Map();

/** @param {Shown} state */
export function renderPowers(state) {
	const { view } = state;
	const hasPowers = isVariant(view) && POWERS.some((power) => view.terms.powers[power]);
	for (const place of places.values()) place.hidden = true;
	if (!hasPowers) return;
	const left = powersAt(state);
	for (const [seat, { colour }] of view.players.entries()) {
		const place = places.get(colour) ?? el('span', { class: 'powers' });
		if (!places.has(colour)) cardOf(colour).append(place);
		places.set(colour, place);
		place.hidden = false;
		refill(place, [chips(left[seat] ?? view.terms.powers)]);
	}
}

/** @param {Powers} powers */
function chips(powers) {
	const words = POWERS.map((power) => `${powers[power]} ${power}`).join(', ');
	return el(
		'span',
		{ role: 'img', 'aria-label': texts.powersLeft(words), title: texts.powersLeftTitle(words) },
		...POWERS.map((power) =>
			el(
				'span',
				{ class: powers[power] ? 'chip' : 'chip used', 'data-power': power },
				icon(`i-${power}`),
				String(powers[power]),
			),
		),
	);
}
