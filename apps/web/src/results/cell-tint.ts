import { invertLightness } from '@querypost/visualization'

/** So much of a color that the text on it stays readable, whatever the color, in light and in dark mode. */
export const tintShare = 0.3

/** The background of a cell that a rule colors. People choose colors for light pages: on dark ones, white must not stand out. */
export const cellTint = (color: string) => ({ backgroundColor: `light-dark(${mixed(color)}, ${mixed(invertLightness(color))})` })

const mixed = (color: string) => `color-mix(in srgb, ${color} ${tintShare * 100}%, var(--surface))`
