import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainText } from './plain-text.ts'

test.each([
  ['links are their text', 'Revenue was [1,204 €](https://q.test/runs/run_1 "a run").', 'Revenue was 1,204 €.'],
  ['links in emphasis', '**[1,204](https://q.test/a_(b))** in all', '1,204 in all'],
  ['emphasis in links', '[**up** *12 %*](https://q.test)', 'up 12 %'],
  ['links by name', '[the run][1] and [this][]\n\n[1]: https://q.test\n[this]: /x', 'the run and this'],
  ['undefined link references', '[the run][1]', '[the run][1]'],
  ['images are their description', 'See ![a chart of sales](x.png)', 'See a chart of sales'],
  ['brackets that are not a link', 'rows [1] and ] and [', 'rows [1] and ] and ['],
  ['bold, italic, strikethrough', '**bold** __bold__ *it* _it_ ***both*** ~~gone~~', 'bold bold it it both gone'],
  ['nested emphasis', '**bold *and it*** _it **bold** it_', 'bold and it it bold it'],
  ['what only looks like emphasis', '2 * 3 * 4, total_amount_net, ~5, a * b', '2 * 3 * 4, total_amount_net, ~5, a * b'],
  ['an unclosed asterisk', '*note: see **below', '*note: see **below'],
  ['emphasis over two lines', '**a long\nword**', 'a long\nword'],
  ['headings', '# Sales\n\n## By country ##\n#no heading', 'Sales\n\nBy country\n#no heading'],
  ['underlined headings', 'Sales\n=====\nBy country\n---\nmore', 'Sales\nBy country\nmore'],
  ['lists', '* one\n+ two\n  - **three**\n1. four\n- [x] done', '- one\n- two\n  - three\n1. four\n- done'],
  ['tables', 'By city:\n\n| City | Sales |\n|:---|---:|\n| Berlin | **4** |\n| Bonn |\n\nEnd', 'By city:\n\nCity | Sales\nBerlin | 4\nBonn\n\nEnd'],
  ['quotes', '> said\n> > twice', 'said\ntwice'],
  ['code', 'run `select * from t` now\n```sql\nselect *\n  from t\n```\nend', 'run select * from t now\nselect *\n  from t\nend'],
  ['unclosed backticks', 'a ` b `` c', 'a ` b `` c'],
  ['HTML', 'a <b>bold</b> <img src="x" onerror="y"> <!-- no --> word<br/>', 'a bold   word'],
  ['what is not HTML', '3 < 4 and 5 > 2, a<b', '3 < 4 and 5 > 2, a<b'],
  ['addresses', '<https://q.test/a?b=1>', 'https://q.test/a?b=1'],
  ['escaped markup', '\\*not\\* \\[a\\](b) 1\\. AT&amp;T', '*not* [a](b) 1. AT&T'],
  ['empty lines', '\n\na\n\n\n\n\nb  \n\n', 'a\n\nb'],
  ['horizontal rules', 'a\n\n***\nb', 'a\n\nb'],
  ['a script URL', '[x](javascript:alert(1))', '[x](javascript:alert(1))'],
  ['nothing', '', ''],
])('%s', (_, markdown, text) => {
  expect(plainText(markdown)).toBe(text)
})

const marks = fc.constantFrom(
  '*', '**', '_', '~~', '`', '```', '\n', '\n\n', '# ', '- ', '1. ', '> ', '|', '|-', '---', '[', '](', ')', ']', '![', '<', '>',
  '<b>', '<!--', '\\', '&lt;', ' ', '\t', '\u2028', '\u{1F600}', '\ud83d', '\0', 'word', 'Straße',
)

test('converts any text to plain text', () => {
  const texts = fc.array(fc.oneof(marks, fc.string()), { maxLength: 60 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(texts, (markdown) => {
      const text = plainText(markdown)
      expect(text).toBe(text.trim())
      expect(text).not.toContain('\n\n\n')
      // At most twice as long: adjacent cells get separators.
      expect(text.length).toBeLessThanOrEqual(2 * markdown.length)
    }),
    { seed: 20_260_105, numRuns: 2000 },
  )
})

test('leaves words without markup unchanged', () => {
  const words = fc.array(fc.stringMatching(/^[\p{L}\p{N},;:%€ ]{0,40}\p{L}$/u), { minLength: 1, maxLength: 10 })
  fc.assert(
    fc.property(words, (lines) => {
      const text = lines.map((line) => line.trim()).join('\n')
      expect(plainText(text)).toBe(text)
    }),
    { seed: 20_260_105, numRuns: 300 },
  )
})

// Each would take minutes if the cost grew quadratically.
test.each(['[', '](', '](x', '*a ', '*a _b ~~c ', 'a_ *b ', '`a``', '<', '<!--', '<a ', '&', '\\', '- - ', '| - ', ' ', '> ', '# #', '[a](b)', '**a** '])(
  'a long text of %j takes little time',
  (part) => {
    const text = plainText(`|${part.repeat(50_000)}x`)
    expect(text.length).toBeLessThanOrEqual(part.length * 50_000 + 2)
  },
  20_000,
)
