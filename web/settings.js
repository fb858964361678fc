// The switches for sound and theme, and the choice to confirm moves.

import { byId, setIcon, setLabel } from './dom/elements.js';
import { soundOn, toggleSound } from './sound.js';
import { keep, recall } from './storage.js';
import { texts } from './words/page.js';

const THEMES = ['auto', 'light', 'dark'];
let theme = recall('theme', 'auto');
if (!THEMES.includes(theme)) theme = 'auto';
let isConfirming = Boolean(recall('confirm', false));

/** Whether a player confirms each disc that is dropped by touch. */
export const confirms = () => isConfirming;

/** @param {boolean} on */
export function confirmMoves(on) {
	isConfirming = on;
	keep('confirm', on);
}

export function switchSound() {
	toggleSound();
	showSettings();
}

export function switchTheme() {
	theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto';
	keep('theme', theme);
	showSettings();
}

export function showSettings() {
	byId('sound').setAttribute('aria-pressed', String(soundOn()));
	setIcon(byId('sound'), soundOn() ? 'i-sound' : 'i-silent');
	if (theme === 'auto') delete document.documentElement.dataset.theme;
	else document.documentElement.dataset.theme = theme;
	setIcon(byId('theme'), `i-${theme}`);
	setLabel(byId('theme'), texts.theme(theme));
}
