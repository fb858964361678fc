// Texts of the keys of a program that this browser has.

export const texts = {
	hasKeys: 'This browser has keys to accounts of this program.',
	forget: 'Forget them …',
	without:
		'Without them you watch its games here and play as a guest, until you open a link with a key again.',
	forgetNow: 'Forget them',
	keep: 'Keep them',
};
