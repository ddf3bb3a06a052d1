import { readTheme } from '@querypost/embed/protocol'
import { expect, test } from 'vitest'
import { variablesOf } from './embed-theme.ts'

test('derives the variables of the style sheet from a few colors', () => {
  expect(variablesOf({ accent: '#6633cc', border: '#dddddd', fontFamily: '"Inter", sans-serif' })).toEqual({
    '--accent': '#6633cc',
    '--accent-strong': 'color-mix(in srgb, #6633cc 85%, var(--ink))',
    '--accent-wash': 'color-mix(in srgb, #6633cc 12%, var(--surface))',
    '--on-accent': '#ffffff',
    '--focus': '#6633cc',
    '--line': '#dddddd',
    '--line-strong': 'color-mix(in srgb, #dddddd 70%, var(--ink))',
    '--font-sans': '"Inter", sans-serif',
  })
  expect(variablesOf({ accent: '#ffe066' })['--on-accent']).toBe('#000000')
  expect(variablesOf({})).toEqual({})
})

test('a value that is more than a value sets nothing', () => {
  const hostile = { accent: 'red;background:url(https://evil.example)', text: '#fff}body{display:none', fontFamily: 'x";}*{color:red' }
  expect(variablesOf(readTheme(hostile))).toEqual({})
})
