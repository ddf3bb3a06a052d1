import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrastOf, invertLightness, isHexColor, mixColors } from './hex-color.ts'

test.each([
  ['#1d4a51', true],
  ['#AABBCC', true],
  ['#fff', false],
  ['red', false],
  ['#1d4a51;', false],
  [5, false],
])('%j is a color: %j', (value, isColor) => {
  expect(isHexColor(value)).toBe(isColor)
})

test('mixes colors', () => {
  expect(mixColors('#000000', '#ffffff', 0.5)).toBe('#808080')
  expect(mixColors('#102030', '#ffffff', 0)).toBe('#102030')
})

test('measures contrast as WCAG does', () => {
  expect(contrastOf('#ffffff', '#000000')).toBeCloseTo(21)
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

test('swaps light and dark, and keeps pure colors', () => {
  expect(invertLightness('#ffffff')).toBe('#000000')
  expect(invertLightness('#2b7a86')).toBe('#79c8d4')
  expect(invertLightness('#ff0000')).toBe('#ff0000')
  const colors = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(colors, (color) => {
      expect(invertLightness(invertLightness(color))).toBe(color)
    }),
  )
})
