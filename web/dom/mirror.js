// Red and blue look alike: index.html has the parts of red only.

/**
 * Adds the same part for blue after that of red.
 * @param {HTMLElement} red @param {string} name of the `data-` attribute that tells them apart
 */
export function mirror(red, name) {
	const blue = /** @type {HTMLElement} */ (red.cloneNode(true));
	blue.dataset[name] = 'blue';
	for (const part of blue.querySelectorAll('use, button, select')) {
		const attribute = ['href', 'aria-label'].find((known) => part.hasAttribute(known));
		const text = (attribute ? part.getAttribute(attribute) : part.textContent) ?? '';
		if (attribute) part.setAttribute(attribute, text.replace('red', 'blue'));
		else part.textContent = text.replace('red', 'blue');
	}
	red.after(blue);
}
