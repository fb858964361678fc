// Where an invitation is.

/** In the browser's storage, of a tab: the invitation that stands. */
export const INVITE = 'invite';

/** What stands before the digits of an offer as text. */
const MARK = 'connect4-offer:';

/** What stands before the digits of an offer in a link. */
const IN_LINK = '#offer=';

/** The fragment of an address by which a friend takes an offer. @param {string} offer */
export const fragmentOf = (offer) => `${IN_LINK}${offer.replace(MARK, '')}`;

/** The fragment for an offer that was typed in, as text or as a link; null if the text is none. @param {string} text */
export function fragmentIn(text) {
	const at = text.indexOf(IN_LINK);
	if (at >= 0) return text.slice(at);
	return text.startsWith(MARK) ? fragmentOf(text) : null;
}

/** The offer of an invitation in the fragment of an address; empty if there is none. @param {string} hash */
export function offerOf(hash) {
	const digits = /^#offer=((?:[0-9a-f]{2}){1,640})$/.exec(hash)?.[1];
	return digits ? MARK + digits : '';
}
