import { describe, expect, test } from 'vitest'
import { compareTexts, foldEqualRows, type Line } from './compare-texts.ts'

const show = (line: Line | undefined) =>
  line && `${line.number} ${line.pieces.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('')}`
const rows = (before: string, after: string) => compareTexts(before, after).map((row) => [row.kind, show(row.before), show(row.after)])

test('marks the words of a line that replaces another', () => {
  expect(rows('select id\nfrom orders o\nlimit 10', 'select id, total\nfrom orders o\nlimit 20')).toEqual([
    ['changed', '1 select id', '1 select id[, total]'],
    ['same', '2 from orders o', '2 from orders o'],
    ['changed', '3 limit [10]', '3 limit [20]'],
  ])
})

test('marks words that follow each other as one phrase', () => {
  expect(rows('select a, big blue bus', 'select a, one red car')).toEqual([['changed', '1 select a, [big blue bus]', '1 select a, [one red car]']])
})

test('shows a removed or added line on its side only', () => {
  expect(rows('a\nb\nc', 'a\nc\nd')).toEqual([
    ['same', '1 a', '1 a'],
    ['changed', '2 b', undefined],
    ['same', '3 c', '2 c'],
    ['changed', undefined, '3 d'],
  ])
})

test('does not highlight words of lines that have little in common', () => {
  expect(rows('where country = 1', 'group by day(ordered_at)')).toEqual([['changed', '1 where country = 1', '1 group by day(ordered_at)']])
})

test('compares with an empty text, and lines that end in different ways', () => {
  expect(rows('', 'a')).toEqual([['changed', undefined, '1 a']])
  expect(rows('a\r\nb', 'a\nb').map(([kind]) => kind)).toEqual(['same', 'same'])
})

describe('folding', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`)
  const sections = (before: string[], after: string[]) =>
    foldEqualRows(compareTexts(before.join('\n'), after.join('\n'))).map((section) => [section.kind, section.rows.length])

  test('folds equal lines that are far from a change', () => {
    const before = numbers(30)
    expect(sections(before, before.with(15, 'else'))).toEqual([['folded', 12], ['rows', 7], ['folded', 11]])
  })

  test('does not fold a few lines between two changes', () => {
    const before = numbers(20)
    expect(sections(before, before.with(4, 'x').with(13, 'y'))).toEqual([['rows', 20]])
  })

  test('folds everything if nothing changed', () => {
    expect(sections(numbers(10), numbers(10))).toEqual([['folded', 10]])
  })
})
