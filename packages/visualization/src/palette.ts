import { type ChartTheme, darkTheme, lightTheme, themedColor } from './draw/theme.ts'
import { contrastOf, isHexColor, readHex, type Rgb, toLinear } from './hex-color.ts'

/** The colors of series, in the order of use. An organization may have its own. */
export const paletteLimits = { min: 2, max: 12 }

/** What is wrong with a palette, as the end of a sentence that starts with its name; null if nothing. */
export function paletteProblem(input: unknown): string | null {
  const { min, max } = paletteLimits
  if (!Array.isArray(input) || input.length < min || input.length > max) return `must be a list of ${min} to ${max} colors`
  const faulty = input.findIndex((color) => !isHexColor(color))
  return faulty === -1 ? null : `must have only colors such as #1d4a51; color ${faulty + 1} is another text`
}

export interface PaletteHints {
  /** Pairs of colors, by their places, that look alike to some people. */
  similar: { first: number; second: number; seenBy: Vision }[]
  /** The places of colors that hardly stand out from the page. */
  faint: { place: number; on: 'light' | 'dark' }[]
}

export const visions = ['full', 'protanopia', 'deuteranopia', 'tritanopia'] as const
export type Vision = (typeof visions)[number]

/** How dichromats see colors, in linear RGB (Machado, Oliveira and Fernandes, 2009, severity 1). */
const simulations: { [vision in Vision]: readonly [Rgb, Rgb, Rgb] } = {
  full: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}

/** In Oklab, where equal distances look equally large. Lines and dots closer than this are easily confused. */
const minDistance = 0.04
/** Parts of a chart need this contrast with what is around them (WCAG 2.2, 1.4.11); a little less is still easy to see. */
const minContrast = 2

const themes = { light: lightTheme, dark: darkTheme } as const

export function readPaletteHints(colors: readonly string[]): PaletteHints {
  const similar = colors.flatMap((one, first) =>
    colors.slice(first + 1).flatMap((other, at) => {
      const seenBy = visions.find((vision) => distance(one, other, vision) < minDistance)
      return seenBy ? [{ first, second: first + 1 + at, seenBy }] : []
    }),
  )
  const faint = colors.flatMap((color, place) =>
    (['light', 'dark'] as const).filter((on) => isFaint(color, themes[on])).map((on) => ({ place, on })),
  )
  return { similar, faint }
}

const isFaint = (color: string, theme: ChartTheme) => contrastOf(themedColor(theme, color), theme.surface) < minContrast

function distance(first: string, second: string, vision: Vision): number {
  const [one, other] = [oklabOf(first, vision), oklabOf(second, vision)]
  return Math.hypot(...one.map((value, at) => value - other[at]!))
}

function oklabOf(color: string, vision: Vision): Rgb {
  const linear = readHex(color).map(toLinear) as Rgb
  const seen = times(simulations[vision], linear).map((value) => Math.min(1, Math.max(0, value))) as Rgb
  const cones = times(toCones, seen).map(Math.cbrt) as Rgb
  return times(toLab, cones)
}

const toCones: readonly [Rgb, Rgb, Rgb] = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
]
const toLab: readonly [Rgb, Rgb, Rgb] = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
]

const times = (matrix: readonly [Rgb, Rgb, Rgb], [x, y, z]: Rgb): Rgb => matrix.map(([a, b, c]) => a * x + b * y + c * z) as Rgb
