import type { ReportDocument, RenderedReport } from '../../src/model/report.ts'

/** The smallest valid PNG: one transparent pixel. */
export const tinyPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const base = 'https://querypost.test'
const summary = [
  'Revenue was **€12,345.60** last week, *8.2%* more than the week before.',
  '',
  '- Germany grew by 14%, and France by 3%.',
  '- Refunds stayed at 2.1% of orders.',
  '',
  '| Country | Revenue |',
  '|---|---|',
  '| Germany | 8,100 |',
  '| France | 4,245 |',
].join('\n')

/** Every figure of the summary, linked to its proof. */
const figures = [...summary.matchAll(/€?\d[\d,.]*\d%?|\d+%/g)].map((match, at) => ({
  start: match.index,
  end: match.index + match[0].length,
  link: `${base}/proofs/${at + 1}`,
}))

export function sampleDocument(change: Partial<ReportDocument> = {}): ReportDocument {
  return {
    title: 'Weekly sales',
    preview: 'Revenue was €12,345.60 last week, 8.2% more than the week before.',
    link: `${base}/b/k7Rm2QwXn4`,
    sentAt: '2026-11-16T08:00:00.000Z',
    sections: [
      { kind: 'text', markdown: summary, figures },
      { kind: 'number', title: 'Revenue', link: `${base}/q/revenue`, text: '€12,345.60', change: '+8.2% from €11,410 (week of Nov 2)' },
      { kind: 'number', title: 'Orders', link: `${base}/q/orders`, text: '1,204' },
      { kind: 'chart', title: 'Revenue by day', link: `${base}/q/days`, imageId: 'image_1', alt: 'Line chart of revenue by day, Nov 9 to Nov 15' },
      {
        kind: 'table',
        title: 'Best sellers',
        link: `${base}/q/best`,
        fields: [{ name: 'product', type: 'string' }, { name: 'units', type: 'integer' }, { name: 'revenue', type: 'decimal' }],
        rows: [['Espresso <machine> & grinder', 120, '4800.50'], ['Mug', 95, '1140'], ['Filter', 61, null]],
        rowCount: 1_234,
      },
      { kind: 'failure', title: 'Stock', link: `${base}/q/stock`, reason: 'The query failed: table "stock" does not exist.' },
    ],
    note: 'You get this report because Ada Lovelace added you.',
    ...change,
  }
}

/** Links as long as real ones. */
export const manyDownloads = (count: number): NonNullable<ReportDocument['downloads']> =>
  Array.from({ length: count }, (_, at) => ({
    fileName: `file ${at + 1}.csv`,
    link: `${base}/reports/download#${String(at).padStart(220, 'x')}`,
    expiresAt: '2026-11-23T08:00:00.000Z',
  }))

export function sampleReport(change: Partial<ReportDocument> = {}): RenderedReport {
  return { document: sampleDocument(change), images: new Map([['image_1', tinyPng]]), attachments: [] }
}
