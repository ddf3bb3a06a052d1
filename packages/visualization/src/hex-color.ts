/** Colors that people choose are written as `#1d4a51`. */
export const isHexColor = (value: unknown): value is string => typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value)

export type Rgb = [red: number, green: number, blue: number]

export function readHex(color: string): Rgb {
  const channel = (at: number) => Number.parseInt(color.slice(at, at + 2), 16)
  return [channel(1), channel(3), channel(5)]
}

export const writeHex = (rgb: Rgb): string => `#${rgb.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`

/** The color between two others; `share` is that of the second. */
export function mixColors(first: string, second: string, share: number): string {
  const [from, to] = [readHex(first), readHex(second)]
  return writeHex(from.map((value, at) => value + (to[at]! - value) * share) as Rgb)
}

/** The same hue, as light as the color is dark. */
export function invertLightness(color: string): string {
  const rgb = readHex(color)
  const shift = 255 - Math.max(...rgb) - Math.min(...rgb)
  return writeHex(rgb.map((value) => value + shift) as Rgb)
}

/** The contrast ratio of WCAG 2, from 1 to 21. Text needs 4.5, the parts of a chart 3. */
export function contrastOf(first: string, second: string): number {
  const [lighter, darker] = [luminance(first), luminance(second)].sort((a, b) => b - a) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: string): number {
  const [red, green, blue] = readHex(color).map((value) => toLinear(value)) as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export const toLinear = (value: number) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4)
