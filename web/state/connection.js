// The connection to the program that serves the page, and from there to the chain.

/** @param {object} state @returns {string|null} what is wrong with the way to the chain */
export function away({ link, chain }) {
  if (link === 'lost') return 'The program that serves this page does not answer. Trying again.';
  if (!chain || chain.up) return null;
  return `The chain is away${chain.why ? `: ${chain.why.replace(/[.\s]+$/, '')}` : ''}. Trying again.`;
}
