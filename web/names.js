// The words of which names of accounts are made, for parts of the page that show some. The page itself loads this with the
// first name: a game of two at one screen has none.

import { knowWords } from './state/account-name.js';
import { WORDS } from './state/bip39.js';

knowWords(WORDS);
