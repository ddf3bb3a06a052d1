/**
 * The colors of series, in the order of use, for light and dark pages. They stay distinguishable with each of the three kinds of
 * color blindness and are visible on the page's surface; `palette.test.ts` measures both.
 */
export interface Palette {
  light: readonly string[]
  dark: readonly string[]
}

export const defaultPalette: Palette = {
  light: ['#2b7a86', '#d0792b', '#6d5fb0', '#b8456b', '#5f8a3a', '#8a6d3b', '#3d68b5', '#7a7f83'],
  dark: ['#5fb8c0', '#eaa15e', '#a79ce0', '#e58aa8', '#9cc474', '#cdb27e', '#86acec', '#a9b0b4'],
}
