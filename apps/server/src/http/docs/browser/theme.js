// The look that was chosen in the product (apps/web/src/shell/theme.ts). It runs before the first paint.
try {
  const theme = localStorage.getItem('querypost-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Where nothing may be kept, it is the system's.
}
