// Stakes that were signed and are in no block yet, also before the page was loaded: no other one is signed
// meanwhile. Where it can be done, they are cancelled from here.

import { actButton, byId, el, show } from '../dom/elements.js';
import { reason } from '../state/text.js';
import { dispatch } from '../store.js';
import { texts } from '../words/open-stakes.js';
import { addressOf } from './account.js';
import { session } from './session.js';
import { forgetSigned, openStakes } from './signed.js';

/** @import { Signed } from './signed.js' */

/** Milliseconds between two looks while there is such a stake. */
const LOOK = 5_000;

const line = el('div', {
	id: 'open-stakes',
	role: 'region',
	'aria-label': texts.title,
	hidden: '',
});
byId('chain').after(line);

/** @param {string} text @param {() => Promise<void>} does */
function button(text, does) {
	return actButton(text, () =>
		does()
			.catch((error) => {
				const why = reason(error);
				dispatch({ type: 'refuse', text: why });
			})
			.then(lookAtStakes),
	);
}

/** @param {Signed} stake */
function about(stake) {
	const { what, stake: amount, ethereum, nonce, account } = stake;
	const { wallet, chain } = session;
	const text = texts.mayBePaid(what, amount);
	if (!ethereum) return el('p', {}, `${text} ${texts.askedLater}`);
	const name = wallet?.name ?? texts.wallet;
	const isNumbered = nonce !== Number.MAX_SAFE_INTEGER;
	return el(
		'p',
		{},
		`${text} `,
		chain && isNumbered
			? button(texts.cancelIn(name), async () => wallet?.cancel?.(chain, account, nonce))
			: '',
		' ',
		button(texts.forget(name), async () => forgetSigned(stake)),
	);
}

/** Whether a look is under way. */
let looks = false;
/** What is shown. */
let shown = '[]';

/** Looks which stakes may still be paid, and shows them. */
export async function lookAtStakes() {
	if (looks) return;
	looks = true;
	try {
		const { account } = session;
		const stakes = account ? await openStakes(await addressOf(account)) : [];
		const now = JSON.stringify(stakes);
		if (now === shown) return;
		shown = now;
		show(line, stakes.length);
		line.replaceChildren(...stakes.map(about));
	} finally {
		looks = false;
	}
}

setInterval(() => {
	if (shown !== '[]') lookAtStakes().catch(() => {});
}, LOOK);
