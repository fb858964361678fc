// The clock of a game.

/** @param {object} state @param {string} colour @param {number} now @returns {number} seconds left, below 0 when over */
export const clockLeft = ({ view, told }, colour, now) =>
  view.clock.left[colour] -
  (view.to_move === colour && !view.over ? Math.max(0, now - told) / 1000 : 0);

/** @param {number} seconds @returns {string} such as 4:05 or 1:02:03 */
export function clockText(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  const parts = [Math.floor(whole / 60) % 60, whole % 60];
  if (whole >= 3600) parts.unshift(Math.floor(whole / 3600));
  return parts.map((part, index) => (index ? String(part).padStart(2, '0') : part)).join(':');
}
