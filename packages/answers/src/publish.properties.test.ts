import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asRead } from '../testing/liar/tell-lie.ts'
import { baseUrl, now, resultsOf } from '../testing/worlds.ts'
import { publish } from './publish.ts'

const pieces = fc.constantFrom(
  '{{', '}}', '{{r1: sum(orders)}}', "{{r1: orders where country = 'Japan'}}", '{{r1: rows()', '**', '*', '_', '`', '```', '~~', '[', ']', '](', ')', '(', '|', '|---|', '\n', '\n\n', '- ', '# ', '> ', '<b>', '<!--', '-->', '&#49;', '&amp;', '\\', '\u200b', '\u00ad',
  '12', '3', ',', '.', '%', '€', '٣', '½', '十', 'twelve', 'million', 'Germany', 'Japan', 'revenue', 'orders', 'in', 'was', 'more than', 'rose', ' ', ' ', '\uE000', '\uEE00', '\uEF00', '😀', 'é', 'one', 'March', '2025', '-', '–',
)
const texts = fc.oneof(
  fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
  fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(' ')),
  fc.string({ unit: 'binary', maxLength: 60 }),
)
const results = resultsOf('countries')
const published = (text: string, isPartial = false) => publish({ text, question: 'How are we doing?', results, now, baseUrl, isPartial })

test('publishes any text, with every figure at its place and no number outside of figures', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const { text: shown, figures } = published(text)
      let at = 0
      for (const { start, end, isProven } of figures) {
        expect(start).toBeGreaterThanOrEqual(at)
        expect(end).toBeGreaterThan(start)
        expect(isProven ? shown.slice(start - 1, start) + shown.slice(end, end + 2) : shown.slice(start - 2, start) + shown.slice(end, end + 2)).toBe(isProven ? '[](' : '~~~~')
        at = end
      }
      const rest = asRead(shown, figures).replaceAll(/⟦[^⟧]*⟧/g, '').replaceAll(/^[\s>]*\d[.)] /gm, '')
      expect(rest).not.toMatch(/\p{N}/u)
    }),
    { seed: 21, numRuns: 1500 },
  )
})

test('publishes any part of a text without a number outside of figures', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const { text: shown, figures } = published(text, true)
      expect(asRead(shown, figures).replaceAll(/⟦[^⟧]*⟧/g, '').replaceAll(/^[\s>]*\d[.)] /gm, '')).not.toMatch(/\p{N}/u)
    }),
    { seed: 22, numRuns: 500 },
  )
})

test.each(['{{', '}}', '[', '](', '`', '```\n', '*', '<', '&', '\\', '12 ', '- \n', '| a ', '> ', '(', 'twelve-', "'", '{{r1: "', 'a.', '~'])('takes %j repeated 5,000 times', (part) => {
  expect(published(part.repeat(5000)).figures.every(({ isProven }) => !isProven)).toBe(true)
})
