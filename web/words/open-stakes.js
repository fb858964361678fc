// Texts of stakes that may still be paid.

export const texts = {
	mayBePaid: (/** @type {string} */ what, /** @type {string | undefined} */ amount) =>
		`“${what}” (${amount}) was signed, and no block is known to have it. It may still be paid, so that no other stake is signed.`,
	askedLater: 'Once its time is over, in some minutes, you are asked.',
	wallet: 'the wallet',
	title: 'Stakes that may still be paid',
	cancelIn: (/** @type {string} */ name) => `Cancel it in ${name}`,
	forget: (/** @type {string} */ name) => `${name} does not show it: forget it`,
};
