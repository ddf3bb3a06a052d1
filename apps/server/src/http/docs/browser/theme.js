// Applies the theme chosen in the web app (apps/web/src/shell/theme.ts) before the first paint.
try {
  const theme = localStorage.getItem('querypost-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Without local storage, the system's theme applies.
}
