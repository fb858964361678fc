// The switches for sound and theme.

import { byId, setIcon, setLabel } from './dom/elements.js';
import { soundOn, toggleSound } from './sound.js';
import { keep, recall } from './storage.js';
import { texts } from './words/page.js';

const THEMES = ['auto', 'light', 'dark'];
let theme = recall('theme', 'auto');
if (!THEMES.includes(theme)) theme = 'auto';

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
