/**
 * The colors of series, in the order of use, for light and dark pages. They were found by a search that moves colors apart until each
 * pair keeps a distance of 0.07 in Oklab, as seen with full color vision and with each kind of color blindness (simulated after
 * Machado, Oliveira and Fernandes, 2009). `palette.test.ts` measures it, and the contrast with the page.
 */
export interface Palette {
  light: readonly string[]
  dark: readonly string[]
}

export const defaultPalette: Palette = {
  light: ['#287b88', '#d79153', '#6c5faf', '#c4407b', '#7d8c1a', '#6a4b29', '#478fdc', '#29364f'],
  dark: ['#5cb4c2', '#de9d5e', '#9a8de8', '#eb7697', '#bbd06c', '#a87851', '#88bffd', '#e8e3d8'],
}
