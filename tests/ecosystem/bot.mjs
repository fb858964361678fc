// A program that plays at a relay: what it does with a position, on top of a seat.
import * as protocol from './protocol.mjs';
import * as seat from './seat.mjs';

// Wins if it can, stops the opponent if it has to, else plays near the middle; swaps a first disc that lies there.
export const choose = (moves, terms) => {
  const { legal } = protocol.after(moves, terms);
  const middle = (Number(terms.bins) - 1) / 2;
  if (terms.pieRule && moves.length === 1 && Math.abs(moves[0] - middle) < 1) return protocol.SWAP;
  const near = [...legal].sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
  const wins = (bin) => protocol.after([...moves, bin], terms).won;
  const stops = (bin) =>
    legal.some((other) => other !== bin && protocol.after([...moves, other, bin], terms).won);
  return near.find(wins) ?? near.find(stops) ?? near[moves.length === 0 ? 1 : 0];
};

// Offers one game, or takes an offer of it, and plays it to its end.
export const play = (url, wallet, sought, takes = false) =>
  seat.play(url, wallet, sought, choose, takes);
