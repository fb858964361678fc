// Helpers for the DOM. Data becomes text nodes and attributes, never markup.

import { accountPicture } from '../state/account-name.js';
import { texts } from '../words/page.js';

/** @import { Address, Colour } from '../wire.d.ts' */
/** @import { Attributes } from './types.d.ts' */

const SVG = 'http://www.w3.org/2000/svg';

/**
 * An element within another one; an error if there is none of that kind.
 * @template {Element} [Kind=HTMLElement]
 * @param {ParentNode} within @param {string} selector @param {new () => Kind} [kind]
 * @returns {Kind}
 */
export function find(within, selector, kind) {
	const element = within.querySelector(selector);
	if (element instanceof (kind ?? HTMLElement)) return /** @type {Kind} */ (element);
	throw new Error(texts.noElement(selector));
}

/** @param {string} id */
export const byId = (id) => find(document, `#${id}`);

/** @param {string} id */
export const button = (id) => find(document, `#${id}`, HTMLButtonElement);

/** @param {string} id */
export const input = (id) => find(document, `#${id}`, HTMLInputElement);

/** @param {string} id */
export const link = (id) => find(document, `#${id}`, HTMLAnchorElement);

/** @param {string} id */
export const form = (id) => find(document, `#${id}`, HTMLFormElement);

/** A sheet over the page, which a click beside it closes. Its title has its id, and `-title`. @param {string} id */
export function makeSheet(id) {
	const attributes = { id, class: 'sheet', 'aria-labelledby': `${id}-title` };
	const sheet = /** @type {HTMLDialogElement} */ (el('dialog', attributes));
	sheet.addEventListener('click', ({ target }) => {
		if (target === sheet) sheet.close();
	});
	document.body.append(sheet);
	return sheet;
}

/** What parts were filled with, as markup. @type {WeakMap<HTMLElement, string>} */
const filled = new WeakMap();

/**
 * Fills a list anew, if anything in it changes. What had the focus in it is replaced by its like, which gets
 * the focus.
 * @param {HTMLElement} list @param {Element[]} items
 */
export function refill(list, items) {
	const now = items.map(({ outerHTML }) => outerHTML).join();
	if (filled.get(list) === now) return;
	filled.set(list, now);
	const active = document.activeElement;
	const focused = active instanceof HTMLElement && list.contains(active) ? place(active) : null;
	list.replaceChildren(...items);
	if (focused === null) return;
	for (const like of list.querySelectorAll('a, button, input, select')) {
		if (!(like instanceof HTMLElement) || place(like) !== focused) continue;
		return like.focus({ preventScroll: true });
	}
}

/** What tells a control in a list from the others. @param {HTMLElement} element */
const place = (element) =>
	JSON.stringify([
		element.closest('li')?.querySelector('a')?.getAttribute('href'),
		element.getAttribute('href') ?? element.getAttribute('value'),
		{ ...element.dataset },
	]);

/**
 * @param {string} tag @param {Attributes} attributes @param {(Node | string)[]} children
 * @returns {HTMLElement}
 */
export function el(tag, attributes = {}, ...children) {
	const element = document.createElement(tag);
	setAll(element, attributes);
	element.append(...children);
	return element;
}

/** Names and what they name, for a list of facts. @param {[string, string][]} facts */
export const factItems = (facts) =>
	facts.flatMap(([name, text]) => [el('dt', {}, name), el('dd', {}, text)]);

/** A new button. @param {string} id @param {string} words @param {string} [kind] */
export const newButton = (id, words, kind = '') =>
	/** @type {HTMLButtonElement} */ (
		el('button', { id, class: `button small ${kind}`, type: 'button' }, words)
	);

/** A new button, with what it does. @param {string} text @param {() => unknown} act @param {string} [kind] @param {string} [id] */
export function actButton(text, act, kind = '', id) {
	const made = el('button', { id, class: `button small ${kind}`, type: 'button' }, text);
	made.addEventListener('click', act);
	return made;
}

/**
 * @param {string} tag @param {Attributes} attributes @param {Node[]} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
	const element = document.createElementNS(SVG, tag);
	setAll(element, attributes);
	element.append(...children);
	return /** @type {SVGElement} */ (element);
}

/** @param {Element} element @param {Attributes} attributes */
function setAll(element, attributes) {
	for (const [name, value] of Object.entries(attributes)) {
		if (value !== null && value !== undefined) element.setAttribute(name, String(value));
	}
}

/** @param {string} name the id of a symbol in index.html @param {string} kind its class */
export const icon = (name, kind = 'icon') =>
	svg('svg', { class: kind, 'aria-hidden': 'true' }, svg('use', { href: `#${name}` }));

/** The picture of an account, to stand before its name. @param {Address} address */
export function portrait(address) {
	const { hue, cells } = accountPicture(address);
	const path = cells.map(({ x, y }) => `M${x} ${y}h1v1h-1z`).join('');
	const attributes = { class: 'portrait', viewBox: '-0.5 -0.5 6 6', 'aria-hidden': 'true' };
	return svg('svg', attributes, svg('path', { d: path, fill: `hsl(${hue} 55% 50%)` }));
}

/** A small disc, to stand in a text. @param {Colour} colour */
export const disc = (colour) => icon(`disc-${colour}`, 'mini');

/** @param {Element} element made by `icon`, or with one in it @param {string} name */
export function setIcon(element, name) {
	const use = find(element, 'use', SVGElement);
	if (use.getAttribute('href') !== `#${name}`) use.setAttribute('href', `#${name}`);
}

/**
 * Names a button that has an icon and no words.
 * @param {HTMLElement} element @param {string} text
 */
export function setLabel(element, text) {
	element.title = text;
	element.setAttribute('aria-label', text);
}

/** @param {Element} element @param {string} text */
export function setText(element, text) {
	if (element.textContent !== text) element.textContent = text;
}

let entitling = 0;

/** Names the page, once what is new in it is shown: the name takes the browser some milliseconds. @param {string} text */
export function entitle(text) {
	clearTimeout(entitling);
	entitling = setTimeout(() => {
		if (document.title !== text) document.title = text;
	});
}

/** @param {HTMLElement} element @param {unknown} shown */
export function show(element, shown) {
	if (element.hidden === Boolean(shown)) element.hidden = !shown;
}

/** @param {HTMLElement} element @param {string} name @param {string} value */
export function setData(element, name, value) {
	if (element.dataset[name] !== value) element.dataset[name] = value;
}

/**
 * Scrolls an element alone to a part of it, once its layout is there.
 * @param {Element} view @param {Element} part
 */
export function centre(view, part) {
	const scroll = () => {
		const at = view.getBoundingClientRect();
		const to = part.getBoundingClientRect();
		view.scrollBy(to.x - at.x - at.width / 2, to.y - at.y - at.height / 2);
	};
	requestAnimationFrame(() => setTimeout(scroll));
}

/** To choose how well a computer plays. @param {string[]} levels @param {Attributes} attributes */
export const levelSelect = (levels, attributes) =>
	/** @type {HTMLSelectElement} */ (
		el(
			'select',
			attributes,
			...levels.map((level) =>
				el('option', { value: level, selected: level === 'medium' ? '' : null }, level),
			),
		)
	);

// index.html names the icons of its buttons; they are made once, here.
for (const element of document.querySelectorAll('[data-icon]')) {
	if (!(element instanceof HTMLElement)) continue;
	const name = element.dataset.icon ?? '';
	element.prepend(icon(name, name.startsWith('disc') ? 'mini' : 'icon'));
	if (element.title) setLabel(element, element.title);
}
