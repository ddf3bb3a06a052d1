/**
 * The look of an e-mail. Mail programs understand the HTML of 2005: tables for layout, styles on each element, pixels. The classes
 * exist only for dark mode, which some programs support by a style sheet; the others see the light colors or invert them.
 */
const light = { page: '#f8f7f5', surface: '#ffffff', ink: '#20262a', soft: '#5d6468', line: '#e4e1da', accent: '#285e66', danger: '#a5352b' }
const dark = { page: '#131617', surface: '#1a1e20', ink: '#e7e8e6', soft: '#9ba4a8', line: '#2b3236', accent: '#7cbcbf', danger: '#f0988c' }
type Color = keyof typeof light

export const font = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
export const contentWidth = 600

/** `class` and `style` of an element in these colors. */
export function colored(colors: { text?: Color; background?: Color; border?: Color }, style = ''): string {
  const { text, background, border } = colors
  const classes = [text && `t-${text}`, background && `b-${background}`, border && `l-${border}`].filter((each) => each !== undefined)
  const rules = [text && `color:${light[text]}`, background && `background-color:${light[background]}`, border && `border-color:${light[border]}`]
  return `class="${classes.join(' ')}" style="${[...rules.filter((each) => each !== undefined), style].join(';')}"`
}

/** Rules for dark mode, and for phones. `[data-ogsc]` and `[data-ogsb]` are how Outlook's apps mark dark mode. */
export function styleSheet(): string {
  const names = Object.keys(dark) as Color[]
  const rules = (prefix: (property: 'color' | 'background') => string) =>
    names
      .flatMap((name) => [
        `${prefix('color')}.t-${name}{color:${dark[name]}!important}`,
        `${prefix('background')}.b-${name}{background-color:${dark[name]}!important}`,
        `${prefix('background')}.l-${name}{border-color:${dark[name]}!important}`,
      ])
      .join('')
  return [
    ':root{color-scheme:light dark;supported-color-schemes:light dark}',
    `@media (prefers-color-scheme:dark){${rules(() => '')}}`,
    rules((property) => (property === 'color' ? '[data-ogsc] ' : '[data-ogsb] ')),
    '@media (max-width:480px){.card{padding:20px 16px!important}.edge{padding:16px 8px!important}}',
  ].join('')
}

/** Escapes text for HTML, and removes characters that it cannot contain. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll(/[^\P{Cc}\n\t]|\p{Cs}/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

export const linked = (href: string, html: string, color: Color = 'accent', style = 'text-decoration:underline'): string =>
  `<a href="${escapeHtml(href)}" ${colored({ text: color }, style)}>${html}</a>`
