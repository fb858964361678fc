// What accounts are owed.

import { accountOf } from './seats.js';

/** @import { Hello, Owed } from './types.d.ts' */

/**
 * What the accounts are owed for which this browser has keys.
 * @param {Hello} hello @param {Owed[]} owed
 */
export const owedHere = (hello, owed) => owed.filter(({ account }) => accountOf(hello, account));
