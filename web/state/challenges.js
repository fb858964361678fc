// Open challenges.

import { clockText } from './clock.js';
import { accountOf, nameOf } from './seats.js';
import { amountText, shapeText } from './text.js';

/** @param {object} challenge @returns {string} what it is played on and for */
export function termsText({ shape, clock, stake, challenger_first: first, challenger }) {
  const time = clock
    ? `${clockText(clock.bank)}${clock.increment ? ` + ${clock.increment} s` : ''}`
    : 'no clock';
  const begins = `${nameOf(challenger)} ${first ? 'begins' : 'moves second'}`;
  return [shapeText(shape), time, stake && `${amountText(stake)} each`, begins]
    .filter(Boolean)
    .join(' · ');
}

/** @param {object} hello @param {object} challenge @returns {{accept, decline, cancel}} the account with which each can be done, or null */
export function answers(hello, { challenger, opponent }) {
  const has = (address) => Boolean(accountOf(hello, address));
  const another =
    hello.accounts.find(({ address }) => address !== challenger.address)?.address ?? null;
  const asked = opponent && has(opponent.address) ? opponent.address : null;
  return {
    accept: opponent ? asked : another,
    decline: asked,
    cancel: has(challenger.address) ? challenger.address : null,
  };
}
