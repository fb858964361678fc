// Runs before the first paint. Not a module, since modules run later.

// In a frame of another page its author chooses what is clicked. A policy in the page itself can't forbid that, so
// the page links to itself there and does nothing else.
if (window.top !== window.self) {
	// All that follows in the page is text then, which is not shown.
	document.write('<plaintext hidden>');
	const link = document.createElement('a');
	Object.assign(link, { href: location.href, target: '_blank', rel: 'noopener' });
	link.textContent = 'Open Connect Four in a tab of its own';
	document.body.prepend(link);
}

// Applies the chosen theme.
try {
	const theme = JSON.parse(localStorage.getItem('connect4-theme') ?? 'null');
	if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
	// Storage is refused: the theme is the system's.
}
