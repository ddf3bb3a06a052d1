import { expect, test } from 'vitest'
import { makePaint } from './paint.ts'
import { cellText, displayWidth, drawTable, fit } from './table.ts'

const paint = makePaint({ isTerminal: false, environment: {} })
const text = (name: string) => ({ name, isNumber: false })

test('aligns numbers to the right and shows null', () => {
  const columns = [{ name: 'count', isNumber: true }, text('name')]
  const rows = [
    [1, 'a'],
    [12_345_678, null],
    ['99999999999999999999', ''],
  ]
  expect(drawTable({ columns, rows, width: undefined, paint })).toEqual({
    text: [
      '               count  name',
      '────────────────────  ────',
      '                   1  a',
      '            12345678  null',
      '99999999999999999999',
      '',
    ].join('\n'),
    leftOut: 0,
  })
})

test('shortens the widest columns first, then leaves out the last ones', () => {
  expect(fit([10, 50, 5], 80)).toEqual([10, 50, 5])
  expect(fit([10, 50, 5], 40)).toEqual([10, 21, 5])
  expect(fit([20, 20, 20, 20], 40)).toEqual([12, 12, 12])
  expect(fit([100], 20)).toEqual([20])
  expect(fit([40, 50], 60, [true, false])).toEqual([40, 18])
  expect(fit([40, 50], 30, [true, false])).toEqual([40])
  const columns = Array.from({ length: 9 }, (_, index) => text(`column ${index}`))
  const drawn = drawTable({ columns, rows: [columns.map(() => 'x'.repeat(30))], width: 40, paint })
  expect(drawn.leftOut).toBe(6)
  for (const line of drawn.text.trimEnd().split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(40)
  expect(drawn.text).toContain('xxxxxxxxxxx…')
})

test.each([
  ['two\nlines', 'two⏎lines'],
  ['\u001b[31mred\u0007', '\\u{1b}[31mred\\u{7}'],
  ['abc\u202egnp.exe', 'abc\\u{202e}gnp.exe'],
  [{ a: [1, null] }, '{"a":[1,null]}'],
  [true, 'true'],
  [undefined, 'null'],
])('shows %j as %s', (value, shown) => expect(cellText(value)).toBe(shown))

test.each([
  ['abc', 3],
  ['日本', 4],
  ['e\u0301', 1],
  ['👩‍👩‍👧', 2],
  ['🇩🇪', 2],
  ['', 0],
])('%s is %d wide', (word, width) => {
  expect(displayWidth(word)).toBe(width)
})

test('never cuts a wide character in half', () => {
  const { text: drawn } = drawTable({ columns: [text('t')], rows: [['日本語日本語日本語']], width: 8, paint })
  expect(drawn.split('\n')[2]).toBe('日本語…')
})

test('draws 130,000 rows', () => {
  const rows = Array.from({ length: 130_000 }, (_, index) => [index])
  expect(drawTable({ columns: [{ name: 'n', isNumber: true }], rows, width: 80, paint }).text.length).toBe(130_002 * 7)
})

test('replaces JSON that is nested too deeply', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown
  expect(cellText(deep)).toMatch(/nested too deeply/)
  expect(cellText([[1]])).toBe('[[1]]')
})
