// A few short words for the DOM. Data becomes text nodes and attributes, never markup.

const SVG = 'http://www.w3.org/2000/svg';

/** @param {string} id @returns {HTMLElement} */
export const byId = (id) => document.getElementById(id);

/**
 * @param {string} tag @param {object} [attributes] null and undefined are left out
 * @param {...(Node|string)} children @returns {HTMLElement}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAll(element, attributes);
  element.append(...children);
  return element;
}

/** @param {string} tag @param {object} [attributes] @param {...Node} children @returns {SVGElement} */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  setAll(element, attributes);
  element.append(...children);
  return element;
}

function setAll(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
}

/** @param {string} name the id of a symbol in index.html @param {string} [kind] @returns {SVGElement} */
export const icon = (name, kind = 'icon') =>
  svg('svg', { class: kind, 'aria-hidden': 'true' }, svg('use', { href: `#${name}` }));

/** @param {string} colour @returns {SVGElement} a small disc, to stand in a text */
export const disc = (colour) => icon(`disc-${colour}`, 'mini');

/** @param {SVGElement} element made by `icon` @param {string} name */
export function setIcon(element, name) {
  const use = element.querySelector('use');
  if (use.getAttribute('href') !== `#${name}`) use.setAttribute('href', `#${name}`);
}

/** @param {HTMLElement} element @param {string} text what a button without words is called */
export function setLabel(element, text) {
  element.title = text;
  element.setAttribute('aria-label', text);
}

// index.html names the icons of its buttons, and makes nothing twice.
for (const element of document.querySelectorAll('[data-icon]')) {
  const { icon: name } = element.dataset;
  element.prepend(icon(name, name.startsWith('disc') ? 'mini' : 'icon'));
  if (element.title) setLabel(element, element.title);
}

/** @param {HTMLElement} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {HTMLElement} element @param {any} shown */
export function show(element, shown) {
  if (element.hidden === Boolean(shown)) element.hidden = !shown;
}

/** @param {HTMLElement} element @param {string} name @param {string} value */
export function setData(element, name, value) {
  if (element.dataset[name] !== value) element.dataset[name] = value;
}
