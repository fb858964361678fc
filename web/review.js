// The review of the game shown, move by move as the program gets to it.

import { current, dispatch } from './store.js';
import { review } from './transport.js';

let stop = () => {};

export function startReview() {
	const { view } = current();
	if (!view) return;
	stop();
	dispatch({ type: 'reviewing' });
	const { bins, capacity, line } = view.shape;
	const board = { bins: String(bins), capacity: String(capacity), line: String(line) };
	const query = new URLSearchParams({ ...board, moves: view.notation });
	stop = review(query.toString(), (said) => {
		if (said.type === 'move') dispatch({ type: 'reviewed', move: said });
		else dispatch({ type: 'review over', error: 'error' in said ? said.error : null });
	});
}

export const stopReview = () => stop();
