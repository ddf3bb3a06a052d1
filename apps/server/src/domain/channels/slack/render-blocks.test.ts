import { expect, test } from 'vitest'
import { manyDownloads, sampleDocument } from '../../../../testing/channels/sample-report.ts'
import { faultInBlocks } from '../../../../testing/servers/slack-blocks.ts'
import type { ReportSection } from '../../../model/report.ts'
import { renderSlackMessage, type SlackBlock } from './render-blocks.ts'

/** All texts of the blocks, one after the other. */
function textsOf(blocks: readonly SlackBlock[]): string[] {
  return blocks.flatMap((block) => {
    if ('fields' in block) return block.fields.map(({ text }) => text)
    if ('elements' in block) return block.elements.map((element) => (typeof element.text === 'string' ? element.text : element.text.text))
    return 'text' in block ? [block.text.text] : []
  })
}

test('renders every section, with links on figures and titles', () => {
  const { text, blocks } = renderSlackMessage(sampleDocument())
  expect(faultInBlocks(blocks)).toBeNull()
  expect(text).toBe('Weekly sales: Revenue was €12,345.60 last week, 8.2% more than the week before.')
  const [title, time, summary, revenue, orders, chart, table, failure, button, note] = textsOf(blocks)
  expect([title, time, button, note]).toEqual(['Weekly sales', 'Nov 16, 2026, 08:00 UTC', 'Open in Querypost', 'You get this report because Ada Lovelace added you.'])
  expect(summary).toContain('Revenue was *<https://querypost.test/proofs/1|€12,345.60>* last week, _<https://querypost.test/proofs/2|8.2%>_ more')
  expect(summary).toContain('• Germany grew by <https://querypost.test/proofs/3|14%>')
  expect(summary).toContain('```\nCountry  Revenue\nGermany  8,100\n')
  expect([revenue, orders]).toEqual([
    '<https://querypost.test/q/revenue|Revenue>\n*€12,345.60*\n+8.2% from €11,410 (week of Nov 2)',
    '<https://querypost.test/q/orders|Orders>\n*1,204*',
  ])
  expect(chart).toContain('*<https://querypost.test/q/days|Revenue by day>*')
  expect(table).toContain('Espresso &lt;machine&gt; &amp; gr…    120')
  expect(table).toContain('Showing 3 of 1,234 rows')
  expect(failure).toContain('The query failed')
})

const hostile = '<!channel> & <https://evil.test|click> *x* `y` ```z``` | > '

test.each<[string, ReportSection[]]>([
  ['a text of 40,000 characters', [{ kind: 'text', markdown: 'word '.repeat(8_000), figures: [] }]],
  ['a text of many paragraphs', [{ kind: 'text', markdown: 'One [two](https://x.test/a) three.\n\n'.repeat(400), figures: [] }]],
  ['more than 50 sections', Array.from({ length: 80 }, (_, at) => ({ kind: 'failure', title: `Tile ${at}`, link: 'https://x.test/', reason: 'Failed.' }))],
  ['more than 10 numbers', Array.from({ length: 25 }, () => ({ kind: 'number', title: 'n', link: 'https://x.test/', text: '1', change: 'x'.repeat(3_000) }))],
  ['a wide table', [{ kind: 'table', title: 't', link: 'https://x.test/', fields: Array.from({ length: 40 }, () => ({ name: 'x'.repeat(90), type: 'string' as const })), rows: Array.from({ length: 20 }, () => Array(40).fill('<'.repeat(60))), rowCount: 20 }]],
  ['a long link', [{ kind: 'chart', title: 'x'.repeat(500), link: `https://x.test/${'y'.repeat(2_900)}`, imageId: 'i', alt: 'z'.repeat(9_000) }]],
  ['markup of Slack', [{ kind: 'text', markdown: hostile, figures: [] }, { kind: 'number', title: hostile, link: 'https://x.test/a|b', text: hostile }, { kind: 'failure', title: hostile, link: 'https://x.test/', reason: hostile }]],
  ['no sections', []],
])('stays within the limits of Slack with %s', (_, sections) => {
  const { blocks } = renderSlackMessage(sampleDocument({ title: `${hostile}${'long '.repeat(100)}`, note: hostile.repeat(200), sections }))
  expect(faultInBlocks(blocks)).toBeNull()
  // The title is plain text, in which Slack reads no markup.
  expect(/<!|<https:\/\/evil/.test(JSON.stringify(blocks.slice(1)))).toBe(false)
  expect(textsOf(blocks)).not.toContain('–')
  expect(textsOf(blocks)).toContain('Open in Querypost')
})

test('says how many sections were left out', () => {
  const sections = Array.from({ length: 80 }, (_, at): ReportSection => ({ kind: 'failure', title: `Tile ${at}`, link: 'https://x.test/', reason: 'Failed.' }))
  const texts = textsOf(renderSlackMessage(sampleDocument({ sections })).blocks)
  const shown = texts.filter((text) => text.includes('Tile ')).length
  expect(texts).toContain(`${80 - shown} more sections in Querypost`)
})

test('links to files, and says how many it has no room for', () => {
  const { blocks } = renderSlackMessage(sampleDocument({ downloads: manyDownloads(22) }))
  expect(faultInBlocks(blocks)).toBeNull()
  const texts = textsOf(blocks).join('\n')
  expect(texts.match(/\|file \d+\.csv>/g)).toHaveLength(20)
  expect(texts).toContain('|file 1.csv> (until Nov 23, 2026, 08:00 UTC)')
  expect(texts).toContain('2 more files in Querypost')
})
