// Copies text to the clipboard.

/** Whether the text was copied. @param {string} text */
export async function copyText(text) {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		return copyBySelection(text);
	}
}

// Browsers offer the clipboard only on this machine or over TLS; on a home network it is neither.
/** @param {string} text */
function copyBySelection(text) {
	const area = document.createElement('textarea');
	area.value = text;
	area.className = 'unseen';
	document.body.append(area);
	area.select();
	const copied = document.execCommand('copy');
	area.remove();
	return copied;
}
