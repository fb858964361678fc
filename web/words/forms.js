// What depends on the language: numbers, plurals, lists, and elements within a text.

const PLURALS = new Intl.PluralRules('en');
const DIGITS = new Intl.NumberFormat('en');
/** As in "red, blue and green". */
const LISTS = new Intl.ListFormat('en-GB');
/** As in "red, blue or green". */
const CHOICES = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** A number of things, as in "1,000". Numbers of games, blocks, bins and rows are names, and ratings have no mark. @param {number} count */
export const number = (count) => DIGITS.format(count);

/** The form of a word that goes with a number. @param {number} count @param {string} one @param {string} [more] */
export const form = (count, one, more = `${one}s`) =>
	PLURALS.select(count) === 'one' ? one : more;

/** A number of things. @param {number} count @param {string} one @param {string} [more] */
export const counted = (count, one, more) => `${number(count)} ${form(count, one, more)}`;

/** All of them in a row. @param {(string | number)[]} names */
export const listed = (names) => LISTS.format(names.map(String));

/** One of them. @param {(string | number)[]} names */
export const either = (names) => CHOICES.format(names.map(String));

/** A list of elements, for `mixed`. @param {Node[]} elements @returns {(Node | string)[]} */
export const listedElements = (elements) =>
	LISTS.formatToParts(elements.map((_, index) => String(index))).map(
		({ type, value }) => (type === 'element' && elements[Number(value)]) || value,
	);

/**
 * The tag of a text that has elements in it, as in mixed`${who} plays ${colour}`: the parts in their order, for
 * `append`. If an element shows words of the text, a function makes it of them: mixed`${link('New games')} begin.`
 * @param {TemplateStringsArray} words
 * @param {(Node | string | (Node | string)[])[]} values
 */
export const mixed = (words, ...values) =>
	words.flatMap((text, index) => [text, values[index] ?? ''].flat()).filter((part) => part !== '');

const SPELT = 'no one two three four five six seven eight nine ten'.split(' ');

/** A number in letters up to ten. @param {number} count */
export const spelt = (count) => SPELT[count] ?? number(count);

/** The same text with a capital letter at its start. @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
