// Applies the chosen theme before the first paint. Not a module, since modules run later.
try {
	const theme = JSON.parse(localStorage.getItem('connect4-theme') ?? 'null');
	if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
	// Storage is refused: the theme is the system's.
}
