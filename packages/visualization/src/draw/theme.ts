import { isHexColor, mixColors } from '../hex-color.ts'
import { defaultPalette } from './palette.ts'

/** The colors and sizes of a drawing. */
export interface ChartTheme {
  isDark: boolean
  ink: string
  soft: string
  line: string
  lineStrong: string
  surface: string
  /** The colors of the lowest and the highest value of a heat map or a map. */
  scale: readonly [low: string, high: string]
  palette: readonly string[]
  fontFamily: string
  fontSize: number
  /** The size of lines, points and gaps, relative to a page. */
  zoom: number
}

/** The pages' colors; the same as in `apps/web/src/styles/theme.css`. */
export const lightTheme: ChartTheme = {
  isDark: false,
  ink: '#20262a',
  soft: '#5d6468',
  line: '#e4e1da',
  lineStrong: '#c6c2b9',
  surface: '#ffffff',
  scale: ['#dcebeb', '#1d4a51'],
  palette: defaultPalette.light,
  fontFamily: 'sans-serif',
  fontSize: 12,
  zoom: 1,
}

export const darkTheme: ChartTheme = {
  ...lightTheme,
  isDark: true,
  ink: '#e7e8e6',
  soft: '#9ba4a8',
  line: '#2b3236',
  lineStrong: '#475056',
  surface: '#1a1e20',
  scale: ['#1f3d41', '#9ad0d2'],
  palette: defaultPalette.dark,
}

/**
 * A theme with a palette that people chose for light pages. For dark pages its colors are lightened, as are all colors given in a
 * chart.
 */
export function withPalette(theme: ChartTheme, palette: readonly string[] | null | undefined): ChartTheme {
  const colors = (palette ?? []).filter(isHexColor)
  return colors.length === 0 ? theme : { ...theme, palette: colors.map((color) => themedColor(theme, color)) }
}

export function themedColor({ isDark }: Pick<ChartTheme, 'isDark'>, color: string): string {
  return isDark && isHexColor(color) ? mixColors(color, '#ffffff', 0.28) : color
}

/** Colors that only a page can resolve (`var(--accent)`, `currentColor`) or that are no colors are left out. */
export function givenColor(theme: ChartTheme, color: string | null | undefined): string | null {
  const given = color?.trim() ?? ''
  const isPlain = /^(#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|[a-z]{3,24}|(rgb|hsl)a?\([\d\s.,%/deg-]{1,40}\))$/i.test(given)
  return isPlain && !/^(currentcolor|inherit|none|transparent)$/i.test(given) ? themedColor(theme, longHex(given)) : null
}

const longHex = (color: string) => (/^#[\da-f]{3}$/i.test(color) ? color.replaceAll(/[\da-f]/gi, '$&$&') : color)
