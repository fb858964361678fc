// Forms of words that depend on a number, and lists of names.

const PLURALS = new Intl.PluralRules('en');
/** As in "red, blue and green". */
const LISTS = new Intl.ListFormat('en-GB');

/** The form of a word that goes with a number. @param {number} count @param {string} one @param {string} [more] */
export const form = (count, one, more = `${one}s`) =>
	PLURALS.select(count) === 'one' ? one : more;

/** A number of things. @param {number} count @param {string} one @param {string} [more] */
export const counted = (count, one, more) => `${count} ${form(count, one, more)}`;

/** @param {string[]} names */
export const listed = (names) => LISTS.format(names);

const NUMBERS = 'no one two three four five six seven eight nine ten'.split(' ');

/** A number in letters up to ten. @param {number} number */
export const spelt = (number) => NUMBERS[number] ?? String(number);

/** The same text with a capital letter at its start. @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
