import type { EmbedTheme } from '@querypost/embed/protocol'
import { contrastOf } from '@querypost/visualization'
import { applyTheme } from '../shell/theme.ts'

/** Every variable of `theme.css` that a theme can set. */
const variables = [
  '--accent',
  '--accent-strong',
  '--accent-wash',
  '--on-accent',
  '--focus',
  '--paper',
  '--surface',
  '--raised',
  '--ink',
  '--ink-soft',
  '--line',
  '--line-strong',
  '--font-sans',
] as const

/**
 * The look of an embedded page. The values have been read by `readTheme`, and are set one by one as properties: a style sheet is never
 * written from them.
 */
export function applyEmbedTheme({ colorScheme, ...theme }: EmbedTheme): void {
  applyTheme(colorScheme === 'light' || colorScheme === 'dark' ? colorScheme : 'system')
  const { style } = document.documentElement
  const values = variablesOf(theme)
  for (const name of variables) {
    const value = values[name]
    if (value === undefined) style.removeProperty(name)
    else style.setProperty(name, value)
  }
}

export function variablesOf(theme: EmbedTheme): Partial<Record<(typeof variables)[number], string>> {
  const { accent, background, surface, text, mutedText, border, fontFamily } = theme
  return {
    ...(accent !== undefined && {
      '--accent': accent,
      '--accent-strong': `color-mix(in srgb, ${accent} 85%, var(--ink))`,
      '--accent-wash': `color-mix(in srgb, ${accent} 12%, var(--surface))`,
      '--on-accent': contrastOf(accent, '#ffffff') >= contrastOf(accent, '#000000') ? '#ffffff' : '#000000',
      '--focus': accent,
    }),
    ...(background !== undefined && { '--paper': background }),
    ...(surface !== undefined && { '--surface': surface, '--raised': `color-mix(in srgb, ${surface} 93%, var(--ink))` }),
    ...(text !== undefined && { '--ink': text }),
    ...(mutedText !== undefined && { '--ink-soft': mutedText }),
    ...(border !== undefined && { '--line': border, '--line-strong': `color-mix(in srgb, ${border} 70%, var(--ink))` }),
    ...(fontFamily !== undefined && { '--font-sans': fontFamily }),
  }
}
