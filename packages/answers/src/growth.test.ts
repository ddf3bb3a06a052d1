import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { baseUrl, now, resultsOf } from '../testing/worlds.ts'
import { publish } from './publish.ts'
import { canonicalMarkdown } from './text/canonical-markdown.ts'
import { findPlaceholders } from './text/find-placeholders.ts'

/**
 * Judging a text takes time in proportion to its length, whatever a model writes. `text/outline.test.ts` checks what each sentence is
 * compared with; these tests check the searches in the text as a whole.
 */
const results = resultsOf('countries')
const publishText = (text: string, isPartial = false) => publish({ text, question: 'How are we doing?', results, now, baseUrl, isPartial })

// Lists of words are read once, with the first text.
beforeAll(() => void publishText('12 orders'))
afterEach(() => void vi.restoreAllMocks())

/** How many characters are searched while `run` runs: those that each search is given, up to the place that it finds. */
function searchedBy(run: () => unknown): number {
  let searched = 0
  const { indexOf, lastIndexOf, matchAll, replaceAll } = String.prototype
  vi.spyOn(String.prototype, 'indexOf').mockImplementation(function search(this: string, part, from = 0) {
    const found = indexOf.call(this, part, from)
    searched += (found === -1 ? this.length : found) - from
    return found
  })
  vi.spyOn(String.prototype, 'lastIndexOf').mockImplementation(function search(this: string, part, from = this.length) {
    const found = lastIndexOf.call(this, part, from)
    searched += Math.min(from, this.length) - found
    return found
  })
  vi.spyOn(String.prototype, 'matchAll').mockImplementation(function search(this: string, pattern) {
    searched += this.length
    return matchAll.call(this, pattern)
  })
  vi.spyOn(String.prototype, 'replaceAll').mockImplementation(function search(this: string, ...given: never) {
    searched += this.length
    return replaceAll.apply(this, given)
  } as typeof replaceAll)
  run()
  vi.restoreAllMocks()
  return searched
}

describe('searches twice as many characters in a text twice as long', () => {
  test.each([
    ['unfinished comments', '<!-- a '],
    ['comments', '<!-- a --> b '],
    ['numbers to strike in one line', '`a` 12, then '],
    ['numbers to strike in code', '`12` '],
    ['numbers to strike in many lines', '12 of `a`\n'],
    ['words without a space', 'word'],
    ['figures', '{{r1: sum(orders)}} '],
    ['figures without a space', '{{r1: sum(orders)}}'],
    ['unfinished figures', '{{r1: '],
    ['closing braces', 'a }}'],
    ['links', `[a](${baseUrl}/q/abc) `],
  ])('with %s', (_, part) => {
    for (const isPartial of [false, true]) {
      const searched = (count: number) => searchedBy(() => publishText(part.repeat(count), isPartial))
      expect(searched(200) / searched(100), `isPartial: ${isPartial}`).toBeLessThan(2.2)
    }
  })
})

/**
 * The steps of a regular expression cannot be counted. These texts are so long that an expression that tries every pair of places takes
 * far longer than a test may; the others take milliseconds.
 */
describe('reads 100,000 characters', () => {
  const length = 100_000
  test.each([
    ['', '`'], ['', '`a'], ['', '``a`'], ['a', '`'], ['`', 'a'],
    ['', '['], ['', ']('], ['', '[]('], ['[](', ' '], ['[](', '\n'], ['[](a', ' '], ['[](a', 'a'], ['[](a "', ' '], ['[](<', ' '], ['[a', ' '],
    ['', '<'], ['', '<a '], ['<a', ' '], ['', '<!--'], ['', '&'], ['', '&#1'], ['', '\\'], ['', '~'], ['', '*'],
    ['', '{{'], ['{{', 'a'], ["{{'", 'a'], ['{{"', '""'], ['', "{{'"], ['', '}}'], ['', ' '], ['', '\n'],
  ])('of %j and then %j', { timeout: 10_000 }, (start, part) => {
    const text = start + part.repeat(length / part.length)
    const { text: shown } = canonicalMarkdown(findPlaceholders(text).text, baseUrl)
    expect(shown.length).toBeLessThanOrEqual(2 * text.length)
  })

  test('of backticks that open a block of code', { timeout: 10_000 }, () => {
    expect(publishText('`'.repeat(length)).figures).toEqual([])
  })
})
