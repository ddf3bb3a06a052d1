/** The pages' series colors in light mode (`--series-1` …), distinguishable with color blindness. */
const palette = ['#2b7a86', '#d0792b', '#6d5fb0', '#b8456b', '#5f8a3a', '#8a6d3b', '#3d68b5', '#7a7f83']

export const paletteColor = (place: number): string => palette[place % palette.length]!

/** A color as written in a chart. Colors that only a page can resolve (`var(--accent)`, `currentColor`) are replaced. */
export function colorOr(color: string | null | undefined, place: number): string {
  const given = color?.trim() ?? ''
  const isPlain = /^(#[\da-f]{3,8}|[a-z]{3,24}|(rgb|hsl)a?\([\d\s.,%/deg-]{1,40}\))$/i.test(given)
  return isPlain && !/^(currentcolor|inherit|none|transparent)$/i.test(given) ? given : paletteColor(place)
}
