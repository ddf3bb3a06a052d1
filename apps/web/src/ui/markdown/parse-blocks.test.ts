import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseBlocks } from './parse-blocks.ts'
import { type Inline, parseInline } from './parse-inline.ts'

const text = (content: string): Inline => ({ kind: 'text', text: content })

/** The text without markup. */
function textOf(inlines: Inline[]): string {
  return inlines.map((inline) => ('text' in inline ? inline.text : textOf(inline.children))).join('')
}

describe('parseInline', () => {
  test.each<[string, Inline[]]>([
    ['plain', [text('plain')]],
    ['**bold** and *soft*', [{ kind: 'strong', children: [text('bold')] }, text(' and '), { kind: 'emphasis', children: [text('soft')] }]],
    ['__bold__ _soft_', [{ kind: 'strong', children: [text('bold')] }, text(' '), { kind: 'emphasis', children: [text('soft')] }]],
    ['***both***', [{ kind: 'strong', children: [{ kind: 'emphasis', children: [text('both')] }] }]],
    ['**a *b* c**', [{ kind: 'strong', children: [text('a '), { kind: 'emphasis', children: [text('b')] }, text(' c')] }]],
    ['`a **b**`', [{ kind: 'code', text: 'a **b**' }]],
    ['`` a ` b ``', [{ kind: 'code', text: 'a ` b' }]],
    ['[**1,234**](/runs/x)', [{ kind: 'link', address: '/runs/x', children: [{ kind: 'strong', children: [text('1,234')] }] }]],
    ['[a [b] c](/x "title")', [{ kind: 'link', address: '/x', children: [text('a [b] c')] }]],
    ['![chart](https://x.test/a.png)', [{ kind: 'link', address: 'https://x.test/a.png', children: [text('chart')] }]],
    ['~~gone~~ ~one~', [{ kind: 'strikethrough', children: [text('gone')] }, text(' ~one~')]],
    ['net\\_sales \\*2\\* \\[x\\](y)', [text('net_sales *2* [x](y)')]],
    ['net_sales_total', [text('net_sales_total')]],
    ['2 * 3 * 4, **', [text('2 * 3 * 4, **')]],
    ['**open', [text('**open')]],
    ['[no address]() [x] (y)', [text('[no address]() [x] (y)')]],
    ['<b onclick="x()">&amp;</b>', [text('<b onclick="x()">&amp;</b>')]],
    ['a \\ b', [text('a \\ b')]],
  ])('%s', (markdown, inlines) => {
    expect(parseInline(markdown)).toEqual(inlines)
  })
})

test('parses paragraphs, headings, nested lists, code and tables', () => {
  const markdown = [
    '# The week',
    'First line',
    'second line',
    '',
    '- one',
    '  - one a',
    '    1. deep',
    '- two',
    '  goes on',
    '1. first',
    '',
    '```sql',
    'select *',
    '  from orders',
    '```',
    '| Country | Revenue |',
    '|---|---:|',
    '| DE \\| AT | **12** |',
    '| FR |',
    '---',
    'End',
  ].join('\n')
  expect(parseBlocks(markdown)).toEqual([
    { kind: 'heading', children: [text('The week')] },
    { kind: 'paragraph', children: [text('First line\nsecond line')] },
    {
      kind: 'list',
      isOrdered: false,
      items: [
        {
          children: [text('one')],
          nested: [
            {
              kind: 'list',
              isOrdered: false,
              items: [
                {
                  children: [text('one a')],
                  nested: [{ kind: 'list', isOrdered: true, items: [{ children: [text('deep')], nested: [] }] }],
                },
              ],
            },
          ],
        },
        { children: [text('two\ngoes on')], nested: [] },
      ],
    },
    { kind: 'list', isOrdered: true, items: [{ children: [text('first')], nested: [] }] },
    { kind: 'code', text: 'select *\n  from orders' },
    {
      kind: 'table',
      head: [[text('Country')], [text('Revenue')]],
      rows: [
        [[text('DE | AT')], [{ kind: 'strong', children: [text('12')] }]],
        [[text('FR')], []],
      ],
    },
    { kind: 'paragraph', children: [text('End')] },
  ])
})

test('parses incomplete text, as it arrives while it is being written', () => {
  expect(parseBlocks('```\nselect 1')).toEqual([{ kind: 'code', text: 'select 1' }])
  expect(parseBlocks('| a | b |')).toEqual([{ kind: 'paragraph', children: [text('| a | b |')] }])
  expect(parseBlocks('')).toEqual([])
})

test('parses any text without losing a letter', () => {
  const marks = ['*', '**', '_', '~~', '`', '```', '[', ']', '](', ')', '!', '\\', '|', '|-|', '- ', '1. ', '# ']
  const pieces = fc.constantFrom(...marks, '\n', '\n\n', '  ', 'a', 'word', '<b>', 'é', '😀')
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      const markdown = parts.join('')
      parseBlocks(markdown)
      // A URL is not part of the text, so skip inputs that may contain one.
      if (markdown.includes('](')) return
      const letters = (value: string) => value.replaceAll(/[^aword]/g, '')
      expect(letters(textOf(parseInline(markdown)))).toBe(letters(markdown))
    }),
    { seed: 4, numRuns: 500 },
  )
})

const repeated = ['*', '**a ', '~~a ', '_', '`', '[', '![', '\\', '[](', '*a_', '> - ', '- \n  ', '|']
test.each(repeated)('parses %j repeated 20,000 times', (part) => {
  expect(() => parseBlocks(part.repeat(20_000))).not.toThrow()
})
