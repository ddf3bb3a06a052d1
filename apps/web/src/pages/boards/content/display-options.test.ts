import { expect, test } from 'vitest'
import { pageSearch, readDisplayOptions, withDisplayOptions } from './display-options.ts'

test('reads the options of a display', () => {
  expect(readDisplayOptions('?display=1&refresh=300&rotate=30')).toEqual({ isOn: true, refreshSeconds: 300, rotateSeconds: 30 })
  expect(readDisplayOptions('')).toEqual({ isOn: false, refreshSeconds: undefined, rotateSeconds: undefined })
})

test('limits how often a display refreshes and rotates', () => {
  expect(readDisplayOptions('?display=1&refresh=1&rotate=1')).toMatchObject({ refreshSeconds: 30, rotateSeconds: 5 })
  expect(readDisplayOptions('?refresh=999999')).toMatchObject({ refreshSeconds: 86_400 })
})

test.each(['0', '-5', '1.5', 'often', '', '1e9'])('ignores the interval %o', (text) => {
  expect(readDisplayOptions(`?${new URLSearchParams({ refresh: text })}`).refreshSeconds).toBeUndefined()
})

test('changes the options and keeps the values of parameters', () => {
  const on = withDisplayOptions('?country=DE', { isOn: true, refreshSeconds: 60, rotateSeconds: undefined })
  expect(on).toBe('?country=DE&display=1&refresh=60')
  expect(withDisplayOptions(on, { isOn: false, refreshSeconds: 60, rotateSeconds: undefined })).toBe('?country=DE')
  expect(withDisplayOptions('', { isOn: false, refreshSeconds: undefined, rotateSeconds: undefined })).toBe('')
})

test('separates the search parameters of the page from values', () => {
  expect(String(pageSearch('?country=DE&tab=one&country=FR&display=1'))).toBe('tab=one&display=1')
})
