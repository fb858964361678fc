// Runs before anything is painted, so that a chosen theme does not flash. Not a module: those run later.
try {
  const theme = JSON.parse(localStorage.getItem('connect4-theme'));
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Nothing kept: the system's theme.
}
