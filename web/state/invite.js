// Where an invitation is.

/** In the browser's storage, of a tab: the invitation that stands. */
export const INVITE = 'invite';

/** The code of an invitation in the fragment of an address; empty if there is none. @param {string} hash */
export const codeOf = (hash) => /^#join=([0-9a-f]{32})$/.exec(hash)?.[1] ?? '';
