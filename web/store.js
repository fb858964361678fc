// What the browser keeps of us: keys, seats, sound, theme. Works, forgetfully, where it may keep nothing.

const PREFIX = 'connect4-';

/** @param {string} name @param {any} otherwise @param {Storage} [storage] @returns {any} what was kept under a name */
export function recall(name, otherwise, storage = 'localStorage') {
  try {
    return JSON.parse(window[storage].getItem(PREFIX + name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** @param {string} name @param {any} value @param {string} [storage] */
export function keep(name, value, storage = 'localStorage') {
  try {
    window[storage].setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Private windows and full disks: it is forgotten with the page.
  }
}
