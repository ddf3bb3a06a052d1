/** Builds SVG as text. Everything that comes from a result or a title is escaped, in text and in attributes. */
export type Attributes = Record<string, string | number | undefined>

export function tag(name: string, attributes: Attributes, ...children: string[]): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escape(typeof value === 'number' ? rounded(value) : value!)}"`)
  const opening = `<${name}${written.join('')}`
  return children.length === 0 ? `${opening}/>` : `${opening}>${children.join('')}</${name}>`
}

export interface TextOptions {
  x: number
  y: number
  size: number
  color?: string
  anchor?: 'start' | 'middle' | 'end'
  isBold?: boolean
  /** The text is shortened to fit. */
  maxWidth?: number
  rotate?: number
}

export function text(content: string, options: TextOptions): string {
  const { x, y, size, isBold = false, maxWidth, rotate } = options
  const shown = maxWidth === undefined ? content : fitted(content, { size, isBold, maxWidth })
  return tag(
    'text',
    {
      x,
      y,
      'font-size': size,
      'font-weight': isBold ? 'bold' : undefined,
      fill: options.color ?? colors.ink,
      'text-anchor': options.anchor,
      transform: rotate === undefined ? undefined : `rotate(${rotate} ${rounded(x)} ${rounded(y)})`,
    },
    escape(shown),
  )
}

/** The pages' colors in light mode. */
export const colors = { paper: '#ffffff', ink: '#20262a', soft: '#5d6468', line: '#e4e1da', accent: '#285e66' }

/** Estimated from the average character width of the font; rather too wide than too narrow. */
export const widthOf = (content: string, { size, isBold = false }: { size: number; isBold?: boolean }) =>
  Array.from(content).length * size * (isBold ? 0.68 : 0.6)

export function fitted(content: string, options: { size: number; isBold?: boolean; maxWidth: number }): string {
  const letters = Array.from(content)
  const count = Math.max(1, Math.floor(options.maxWidth / widthOf('x', options)))
  return letters.length <= count ? content : `${letters.slice(0, count - 1).join('').trimEnd()}…`
}

const rounded = (value: number) => String(Math.round(value * 100) / 100)

/** Also removes characters that XML cannot contain: most control characters, and unpaired surrogates. */
export function escape(content: string): string {
  return content
    .replaceAll(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
