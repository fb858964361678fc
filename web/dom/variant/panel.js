// What is around the board of a variant.

import { within } from '../../hosts.js';
import { shapeText } from '../../state/text.js';
import { isGame } from '../../state/variant/seats.js';
import { note, status } from '../../state/variant/status.js';
import { moveText, moveWords, termsText } from '../../state/variant/words.js';
import { byId, setData, setText, show } from '../elements.js';
import { renderMoves } from '../moves.js';
import { renderReplay, renderStage } from '../stage.js';
import { departuresText, renderActions } from './actions.js';
import { renderHand } from './hand.js';
import { renderPlayers, renderTime } from './players.js';

/** @import { Table } from '../types.d.ts' */
/** @import { ShownVariant } from '../../state/variant/types.d.ts' */

/** @param {ShownVariant} state @param {Table} table @param {number} now in milliseconds */
export function renderPanel(state, table, now) {
	const { variant: view } = state;
	const what = isGame(view) ? `Game ${view.game}` : 'Line';
	renderStage({
		status: status(state),
		which: `${what} · ${shapeText(view.terms.shape)}`,
		note: state.error ? '' : note(state),
		back: state.at !== null && !view.over && isGame(view) && !state.error,
	});
	renderPlayers(state);
	renderTime(state, now);
	renderHand(state, table);
	renderActions(state, now);
	renderList(state);
	renderReplay({ ...state, view });
	show(byId('watch-link'), isGame(view));
	setData(byId('watch-link'), 'link', location.origin + within(`/game/${view.game}`));
}

/** @param {ShownVariant} state */
function renderList(state) {
	const { variant: view } = state;
	renderMoves({ ...state, view, review: null }, (move) => ({
		text: moveText(move),
		title: moveWords(move),
	}));
	const terms = termsText(view.terms);
	byId('which').title = terms;
	const none = byId('moves-none');
	show(none, view.moves_missing ?? !view.moves.length);
	setText(none, view.moves_missing ?? terms);
	if (!isGame(view)) return;
	const texts = departuresText(view);
	for (const [turn, item] of [...byId('moves').children].entries()) {
		const said = item.querySelector('.said');
		if (said) setText(said, texts.get(turn + 1) ?? '');
	}
}
