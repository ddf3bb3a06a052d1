import { expect, test } from 'vitest'
import { type EmbedTheme, readTheme, readThemeFragment, themeFragment } from './theme.ts'

const theme: EmbedTheme = {
  colorScheme: 'dark',
  accent: '#7c3aed',
  background: 'transparent',
  surface: '#FFFFFF',
  text: '#111111',
  mutedText: '#666666',
  border: '#dddddd',
  chartColors: ['#7c3aed', '#f59e0b'],
  fontFamily: '"Inter", "Noto Sans", sans-serif',
}

test('reads colors, the color scheme and fonts', () => {
  expect(readTheme({ ...theme, fontFamily: "Inter, 'Noto Sans',sans-serif", more: 1 })).toEqual(theme)
})

test.each<[string, unknown]>([
  ['accent', 'red'],
  ['accent', '#fff'],
  ['accent', '#ffffff;color:red'],
  ['accent', '#ffffff\n'],
  ['accent', 'var(--x)'],
  ['accent', 'url(https://evil.example/)'],
  ['accent', ['#ffffff']],
  ['accent', 'transparent'],
  ['background', 'rgba(0,0,0,0)'],
  ['colorScheme', 'red'],
  ['colorScheme', ['dark']],
  ['chartColors', '#ffffff'],
  ['chartColors', ['red', 'url(x)']],
  ['fontFamily', 'Inter;}body{display:none'],
  ['fontFamily', 'x"); background: url(y'],
  ['fontFamily', 'expression(alert(1))'],
  ['fontFamily', '\\0022'],
  ['fontFamily', 'a/**/b'],
  ['fontFamily', '<style>'],
  ['fontFamily', 7],
])('leaves out %s: %j', (name, value) => {
  expect(readTheme({ [name]: value })).toEqual({})
})

test('keeps the good fonts of a list, each in quotes', () => {
  expect(readTheme({ fontFamily: 'Inter, evil}, Müller Grotesk, monospace' })).toEqual({ fontFamily: '"Inter", "Müller Grotesk", monospace' })
})

test('survives an address', () => {
  expect(readThemeFragment(themeFragment(theme))).toEqual(theme)
  expect(themeFragment({})).toBe('')
  expect(themeFragment({ accent: 'red' })).toBe('')
  for (const fragment of ['', '#', '#theme', '#theme={', '#theme=null', '#theme=%7B%22accent%22%3A%22red%22%7D']) {
    expect(readThemeFragment(fragment)).toEqual({})
  }
})

test.each([null, undefined, 'dark', 1, []])('reads nothing from %j', (given) => {
  expect(readTheme(given)).toEqual({})
})
