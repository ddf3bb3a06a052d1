import { expect, test } from 'vitest'
import { readMarkdown, type Span, textOfSpans } from './read-markdown.ts'

const base = 'https://querypost.test/chats/k7Rm2QwXn4'

/** The blocks, with the figure that begins at each of these texts linked to `/proof/<text>`. */
function read(markdown: string, ...figureTexts: string[]) {
  let from = 0
  const figures = figureTexts.map((text) => {
    const start = markdown.indexOf(text, from)
    from = start + text.length
    return { start, end: from, link: `https://querypost.test/proof/${text}` }
  })
  return readMarkdown({ markdown, figures, base })
}

/** As "text[flags](link)". */
function shown(spans: readonly Span[]): string {
  return spans
    .map(({ text, isBold, isItalic, isStruck, isCode, link }) => {
      const flags = [isBold && 'b', isItalic && 'i', isStruck && 's', isCode && 'c'].filter(Boolean).join('')
      return (flags === '' ? text : `${text}[${flags}]`) + (link === null ? '' : `(${new URL(link).pathname})`)
    })
    .join('')
}

test('links figures wherever they are', () => {
  const blocks = read('Revenue **rose 12%** to 1,234.\n\n- North: *7*\n\n| a |\n|---|\n| 9 |', '12%', '1,234', '7', '9')
  expect(blocks).toMatchObject([{ kind: 'paragraph' }, { kind: 'item', depth: 0, mark: '•' }, { kind: 'table' }])
  const [paragraph, item, table] = blocks as unknown as [{ spans: Span[] }, { spans: Span[] }, { rows: Span[][][] }]
  expect(shown(paragraph.spans)).toBe('Revenue rose [b]12%[b](/proof/12%) to 1,234(/proof/1,234).')
  expect(shown(item.spans)).toBe('North: 7[i](/proof/7)')
  expect(shown(table.rows[0]![0]!)).toBe('9(/proof/9)')
})

test('a figure inside a link or code keeps the text as it is', () => {
  expect(read('[see 12](https://other.test/12) and `12`', '12').map((block) => 'spans' in block && shown(block.spans))).toEqual([
    'see 12(/12) and 12[c]',
  ])
  expect(read('```\nselect 12\n```', '12')).toEqual([{ kind: 'code', text: 'select 12' }])
  expect(read('[x](https://other.test/12)', '12')).toMatchObject([{ spans: [{ text: 'x', link: 'https://other.test/12' }] }])
})

test('ignores figures that overlap or lie outside, and private characters of the text', () => {
  const link = 'https://querypost.test/proof'
  const figures = [{ start: 0, end: 2, link }, { start: 1, end: 3, link }, { start: 2, end: 90, link }]
  const [block] = readMarkdown({ markdown: '12\uE0013', figures, base }) as unknown as [{ spans: Span[] }]
  expect(shown(block.spans)).toBe('12(/proof) 3')
})

test.each([
  ['/q/abc', 'https://querypost.test/q/abc'],
  ['https://other.test/', 'https://other.test/'],
  ['javascript:alert(1)', null],
  ['mailto:ada@example.com', null],
])('a link to %s leads to %s', (href, link) => {
  const [block] = read(`[x](${href})`) as unknown as [{ spans: Span[] }]
  expect(block.spans[0]!.link).toBe(link)
})

test('reads nested and numbered lists, headings and breaks, and drops HTML', () => {
  const blocks = read('## Why <b>so</b>\n\n3. three\n   - inner\n4. four\n\none  \ntwo\nthree ~~old~~ ![a chart](x.png)')
  expect(blocks.map((block) => ('spans' in block ? [block.kind, 'mark' in block ? `${block.depth}${block.mark}` : '', textOfSpans(block.spans)] : block.kind))).toEqual([
    ['heading', '', 'Why so'],
    ['item', '03.', 'three'],
    ['item', '1•', 'inner'],
    ['item', '04.', 'four'],
    ['paragraph', '', 'one\ntwo three old a chart'],
  ])
})
