// How discs go that a move takes out of the board.

/** @import { Move } from '../../wire.d.ts' */

const LEAVE = 320; // milliseconds in which a disc disappears

const GONE = { opacity: 0 };
/** What is seen of it. @type {Record<string, Keyframe[]>} */
const WAYS = {
	pop: [{}, { transform: 'translateY(110%)' }],
	take: [{}, { transform: 'scale(1.15)', offset: 0.35 }, { ...GONE, transform: 'scale(.2)' }],
	clear: [{}, { filter: 'brightness(1.9)', offset: 0.4 }, { ...GONE, filter: 'brightness(1.9)' }],
};

/**
 * Shows a disc go: it drops out of the bottom, bursts, or flashes up with its row.
 * @param {SVGElement} element @param {Move['kind']} how @param {boolean} calm
 */
export function leave(element, how, calm) {
	const frames = (calm ? null : WAYS[how]) ?? [{}, GONE];
	element.classList.add('leaving');
	const done = element.animate(frames, { duration: LEAVE, easing: 'ease-in', fill: 'forwards' });
	done.finished.then(() => element.remove());
}
