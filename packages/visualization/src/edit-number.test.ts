import { expect, test } from 'vitest'
import { editNumber } from './edit-number.ts'
import { readNumber } from './one-number.ts'
import { parseJsxConfig } from './parse.ts'
import { writeJsxConfig } from './write.ts'

const edited = (jsx: string, change: Parameters<typeof editNumber>[1]) => {
  const chart = editNumber(jsx === '' ? null : parseJsxConfig(jsx), change)
  return chart && writeJsxConfig(chart)
}

test('an edit of a number written as a bar chart keeps its caption and unit', () => {
  expect(edited('<BarChart><Bar dataKey="total" name="Total" unit=" €" /></BarChart>', { target: 5 })).toBe(
    '<NumberChart>\n  <Number dataKey="total" name="Total" unit=" €" target={5} />\n</NumberChart>',
  )
})

test('a number without a column has no JSX', () => {
  expect(edited('', { caption: 'Total' })).toBeNull()
  expect(edited('<NumberChart><Number dataKey="total" /></NumberChart>', { key: null })).toBeNull()
})

test('without a time there is nothing to compare with', () => {
  const compared = edited('', { key: 'total', timeKey: 'month', isCompared: true, hasSparkline: true, isLowerBetter: true })!
  expect(compared).toContain('timeKey="month" compare="previous" sparkline isLowerBetter')
  expect(readNumber(parseJsxConfig(compared))).toMatchObject({ isCompared: true, hasSparkline: true, isLowerBetter: true })
  expect(edited(compared, { timeKey: null })).toBe('<NumberChart>\n  <Number dataKey="total" isLowerBetter />\n</NumberChart>')
})

test('handwritten props are kept', () => {
  expect(edited('<NumberChart margin={{ top: 1 }}><Number dataKey="a" color="#ff0000" /></NumberChart>', { caption: 'A' })).toBe(
    '<NumberChart margin={{ top: 1 }}>\n  <Number dataKey="a" color="#ff0000" name="A" />\n</NumberChart>',
  )
})
