/** How an embedded page looks. Everything is optional; the default is the look of Querypost. */
export interface EmbedTheme {
  /** `auto` follows the visitor's system. */
  colorScheme?: 'light' | 'dark' | 'auto'
  /** Of links and buttons. All colors are written as `#1d4a51`. */
  accent?: string
  /** Behind the tiles. `transparent` shows your page. */
  background?: string
  /** Of the tiles. */
  surface?: string
  text?: string
  mutedText?: string
  border?: string
  /** Of charts, in the order of use. */
  chartColors?: string[]
  /** Names of fonts that are installed on the visitor's device, such as `Inter, Arial, sans-serif`. */
  fontFamily?: string
}

const colorNames = ['accent', 'background', 'surface', 'text', 'mutedText', 'border'] as const
const maxChartColors = 24
const maxFonts = 8

const isColor = (value: unknown): value is string => typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value)

/**
 * Reads a theme from anywhere. Values that are not exactly a color or the name of a font are left out, because they end up in style
 * sheets: nothing that is more than a value may pass.
 */
export function readTheme(given: unknown): EmbedTheme {
  if (typeof given !== 'object' || given === null) return {}
  const theme: EmbedTheme = {}
  const { colorScheme, chartColors, fontFamily, ...colors } = given as Record<string, unknown>
  if (colorScheme === 'light' || colorScheme === 'dark' || colorScheme === 'auto') theme.colorScheme = colorScheme
  for (const name of colorNames) {
    const color = colors[name]
    if (isColor(color) || (name === 'background' && color === 'transparent')) theme[name] = color
  }
  const series = Array.isArray(chartColors) ? chartColors.filter(isColor).slice(0, maxChartColors) : []
  if (series.length > 0) theme.chartColors = series
  const fonts = typeof fontFamily === 'string' ? readFonts(fontFamily) : ''
  if (fonts !== '') theme.fontFamily = fonts
  return theme
}

const generic = new Set(['serif', 'sans-serif', 'monospace', 'system-ui', 'ui-sans-serif', 'ui-serif', 'ui-monospace', 'ui-rounded'])

/** A font family with every name in quotes, except for generic ones. Names that need escaping are left out. */
function readFonts(text: string): string {
  return text
    .split(',')
    .map((part) => part.trim().replace(/^(["'])(.*)\1$/, '$2').trim())
    .filter((name) => /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,63}$/u.test(name))
    .slice(0, maxFonts)
    .map((name) => (generic.has(name) ? name : `"${name}"`))
    .join(', ')
}

/** The theme as the fragment of an address, which browsers don't send to servers. Empty for the default look. */
export function themeFragment(theme: EmbedTheme): string {
  const read = readTheme(theme)
  return Object.keys(read).length === 0 ? '' : `#theme=${encodeURIComponent(JSON.stringify(read))}`
}

export function readThemeFragment(fragment: string): EmbedTheme {
  const text = new URLSearchParams(fragment.replace(/^#/, '')).get('theme')
  try {
    return readTheme(JSON.parse(text ?? '{}'))
  } catch {
    return {}
  }
}
