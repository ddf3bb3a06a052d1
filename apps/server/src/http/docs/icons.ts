/** The logo, as in `apps/web/src/shell/brand.tsx`. */
const logoPaths = [
  '<path d="M4 6.5c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3Z"/>',
  '<path d="M4 6.5V17c0 1.7 3.6 3 8 3 .9 0 1.7 0 2.5-.15M20 6.5V11" stroke-linecap="round"/>',
  '<path d="m15.5 15 5 2.5-5 2.5" stroke-linecap="round" stroke-linejoin="round"/>',
].join('')
const menuPaths = '<path d="M4 6h16M4 12h16M4 18h16" stroke-linecap="round"/>'

const svg = (content: string, attributes: string) =>
  `<svg viewBox="0 0 24 24" fill="none" stroke-width="2.4" ${attributes}>${content}</svg>`

const inlineAttributes = 'stroke="currentColor" aria-hidden="true"'
export const brandMark = svg(logoPaths, inlineAttributes)
export const menuLines = svg(menuPaths, inlineAttributes)

const favicon = svg(logoPaths, 'stroke="#3a868f" xmlns="http://www.w3.org/2000/svg"')
export const iconAddress = `data:image/svg+xml,${encodeURIComponent(favicon)}`
