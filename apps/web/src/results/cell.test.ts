import { expect, test } from 'vitest'
import { cellText } from './cell.ts'

test.each([
  ['integer', 42, '42'],
  ['integer', '9007199254740993', '9007199254740993'],
  ['decimal', '0.10', '0.10'],
  ['number', 1e21, '1e+21'],
  ['boolean', false, 'false'],
  ['string', '', ''],
  ['string', '2025-01-31T09:30:00Z', '2025-01-31T09:30:00Z'],
  ['date', '2025-01-31', '2025-01-31'],
  ['timestamp', '2025-01-31T09:30:00.000Z', '2025-01-31 09:30:00'],
  ['timestamp', '2025-01-31T09:30:00.120500Z', '2025-01-31 09:30:00.120500'],
  ['timestamp', 'infinity', 'infinity'],
  ['json', 'text', '"text"'],
  ['json', { a: [1, null] }, '{"a":[1,null]}'],
  ['string', null, null],
] as const)('shows %s %j as %j', (type, value, text) => {
  expect(cellText(type, value)).toBe(text)
})
