// The sounds, which are synthesized: a disc lands, a game is won, something is refused.

import { keep, recall } from './storage.js';

/** @import { Sound, Tone } from './state/types.d.ts' */

let on = recall('sound', true);
/** @type {AudioContext | null} */
let shared = null;

// Browsers let a page sound only after a click or a key press.
let touched = false;
for (const kind of ['pointerdown', 'keydown']) {
	const touch = () => {
		touched = true;
	};
	addEventListener(kind, touch, { capture: true, once: true });
}

export const soundOn = () => on;

export function toggleSound() {
	on = !on;
	keep('sound', on);
}

/** @type {Record<Sound, Tone[]>} */
const SOUNDS = {
	land: [
		{ from: 230, to: 120, length: 0.11, loud: 0.22 },
		{ from: 1300, to: 700, length: 0.03, loud: 0.04, kind: 'triangle' },
	],
	win: [523, 659, 784, 1047].map((from, index) => {
		return { from, start: 0.25 + index * 0.1, length: 0.35, loud: 0.1, kind: 'triangle' };
	}),
	low: [0, 0.16].map((start) => {
		return { from: 880, start, length: 0.09, loud: 0.12, kind: 'triangle' };
	}),
	refuse: [{ from: 150, to: 110, length: 0.14, loud: 0.1, kind: 'triangle' }],
};

/** @param {Sound} name */
export function play(name) {
	if (!on || !touched || document.hidden) return;
	shared ??= new AudioContext();
	if (shared.state === 'suspended') shared.resume().catch(() => {});
	for (const tone of SOUNDS[name]) sound(shared, tone);
}

/** @param {AudioContext} context @param {Tone} tone */
function sound(context, { from, to = from, start = 0, length, loud, kind = 'sine' }) {
	const begin = context.currentTime + start;
	const wave = context.createOscillator();
	const volume = context.createGain();
	wave.type = kind;
	wave.frequency.setValueAtTime(from, begin);
	wave.frequency.exponentialRampToValueAtTime(to, begin + length);
	volume.gain.setValueAtTime(0.0001, begin);
	volume.gain.exponentialRampToValueAtTime(loud, begin + 0.006);
	volume.gain.exponentialRampToValueAtTime(0.0001, begin + length);
	wave.connect(volume).connect(context.destination);
	wave.start(begin);
	wave.stop(begin + length);
}
