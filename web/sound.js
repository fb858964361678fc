// Sounds, made and not loaded: a disc that lands, an end, a refusal.

import { keep, recall } from './store.js';

let on = recall('sound', true);
let context = null;

// Browsers let a page sound only once somebody has touched it.
let touched = false;
for (const kind of ['pointerdown', 'keydown']) {
  addEventListener(
    kind,
    () => {
      touched = true;
    },
    { capture: true, once: true },
  );
}

/** @returns {boolean} */
export const soundOn = () => on;

/** @returns {boolean} whether it is on now */
export function toggleSound() {
  on = !on;
  keep('sound', on);
  return on;
}

function tone({ from, to = from, start = 0, length, loud, kind = 'sine' }) {
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

const SOUNDS = {
  land() {
    tone({ from: 230, to: 120, length: 0.11, loud: 0.22 });
    tone({ from: 1300, to: 700, length: 0.03, loud: 0.04, kind: 'triangle' });
  },
  win() {
    for (const [index, from] of [523, 659, 784, 1047].entries()) {
      tone({ from, start: 0.25 + index * 0.1, length: 0.35, loud: 0.1, kind: 'triangle' });
    }
  },
  refuse() {
    tone({ from: 150, to: 110, length: 0.14, loud: 0.1, kind: 'triangle' });
  },
};

/** @param {'land'|'win'|'refuse'} name */
export function play(name) {
  if (!on || !touched || document.hidden) return;
  context ??= new AudioContext();
  if (context.state === 'suspended') context.resume().catch(() => {});
  SOUNDS[name]();
}
