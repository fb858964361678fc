// The review of the game shown, move by move as the program gets to it.

import * as api from './api.js';
import { current, dispatch } from './store.js';

let stop = () => {};

export function startReview() {
	const { view } = current();
	if (!view) return;
	stop();
	dispatch({ type: 'reviewing' });
	const { bins, capacity, line } = view.shape;
	const board = { bins: String(bins), capacity: String(capacity), line: String(line) };
	const query = new URLSearchParams({ ...board, moves: view.notation });
	stop = api.review(query.toString(), (said) => {
		if ('error' in said) dispatch({ type: 'review over', error: said.error });
		else if ('done' in said) dispatch({ type: 'review over' });
		else dispatch({ type: 'reviewed', move: said });
	});
}

export const stopReview = () => stop();
