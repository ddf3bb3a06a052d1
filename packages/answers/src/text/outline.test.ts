import { expect, test } from 'vitest'
import { readOutline } from './outline.ts'

/** How many tokens the judge reads at most: each sentence with all its frames. */
const readTokensOf = (markdown: string) =>
  readOutline(markdown).reduce(
    (sum, { tokens, before, around }) => sum + [tokens, ...before, ...around].reduce((count, frame) => count + frame.length, 0),
    0,
  )

const nested = (count: number) => Array.from({ length: count }, (_, depth) => `${' '.repeat(depth)}- Japan`).join('\n')
const wide = (count: number) => `${'| a '.repeat(count)}|\n|${'---|'.repeat(count)}\n${'| Japan '.repeat(count)}|`

test.each<[string, (count: number) => string]>([
  ['sentences of a paragraph', (count) => 'We sold more. '.repeat(count)],
  ['list items', (count) => '- Japan sold more.\n'.repeat(count)],
  ['nested list items', nested],
  ['list items below a long paragraph', (count) => `${'We sold more. '.repeat(count)}\n${'- Japan\n'.repeat(count)}`],
  ['rows of a table', (count) => `| a | b |\n|---|---|\n${'| Japan | more |\n'.repeat(count)}`],
  ['cells of a row', wide],
  ['headings', (count) => '# Japan\n'.repeat(count)],
])('reads twice as much for twice as many %s', (_, write) => {
  expect(readTokensOf(write(400)) / readTokensOf(write(200))).toBeLessThan(2.1)
})

test('keeps the sentences before one, the nearest first', () => {
  const { before } = readOutline('First. Second. Third.').at(-1)!
  expect(before.map((tokens) => tokens[0]!.text)).toEqual(['Second', 'First'])
})

test('does not cut a long sentence near a figure', () => {
  const words = (count: number) => 'and '.repeat(count)
  const sentences = readOutline(`${words(149)}more than \uE000 orders ${words(200)}`)
  const cut = sentences.find(({ tokens }) => tokens.some(({ kind }) => kind === 'figure'))!
  expect(cut.tokens.some(({ text }) => text === 'more') && cut.tokens.some(({ text }) => text === 'orders')).toBe(true)
})
