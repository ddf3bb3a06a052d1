/** So much of a color that the text on it stays readable, whatever the color, in light and in dark mode. */
export const tintShare = 0.3

/** The background of a cell that a rule colors. */
export const cellTint = (color: string) => ({ backgroundColor: `color-mix(in srgb, ${color} ${tintShare * 100}%, var(--surface))` })
