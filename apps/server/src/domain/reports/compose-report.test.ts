import { expect, test } from 'vitest'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { sampleReport } from '../../../testing/channels/sample-report.ts'
import type { RecipientValues } from '../../model/report.ts'
import { systemClock } from '../../ports/clock.ts'
import { Refusal } from '../refusal.ts'
import { composeReport } from './compose-report.ts'
import { reportPaceOf } from './report-pace.ts'

const clock = systemClock
const random = seededRandom('reports')
const reportPace = reportPaceOf(20)
const recipients = Array.from({ length: 1_000 }, (_, number) => ({
  email: `manager-${number}@example.com`,
  userId: null,
  values: { store: `store ${number % 50}` },
}))

const linkTo = ({ contentId, position }: { contentId: string; position: number }) => `https://querypost.test/${contentId}/${position}`

test('a thousand recipients with fifty distinct values get fifty documents, each the one of their values', async () => {
  const rendered: (RecipientValues | null)[] = []
  async function render(values: RecipientValues | null) {
    rendered.push(values)
    return { ...sampleReport({ title: String(values?.['store']) }), linkedFiles: [] }
  }
  const { contents, deliveries, problems } = await composeReport({ clock, random, reportPace, render, linkTo }, { kind: 'email', recipients }, 'report')
  expect([rendered.length, contents.length, deliveries.length, problems.length]).toEqual([50, 50, 1_000, 0])
  const titles = new Map(contents.map(({ id, document }) => [id, document.title]))
  for (const { values, contentId } of deliveries) expect(titles.get(contentId)).toBe(values!['store'])
})

test('values that cannot be rendered do not keep the others from their report', async () => {
  async function render(values: RecipientValues | null) {
    if (values?.['store'] === 'store 7') throw new Refusal('parameter_invalid', 'There is no such store.')
    return { ...sampleReport(), linkedFiles: [] }
  }
  const { deliveries, problems } = await composeReport({ clock, random, reportPace, render, linkTo }, { kind: 'email', recipients }, 'report')
  expect(deliveries).toHaveLength(980)
  expect(problems).toEqual(['{"store":"store 7"}: There is no such store.'])
})

test('an error that is not about the values fails the whole report', async () => {
  const render = () => Promise.reject(new Error('the store is away'))
  await expect(composeReport({ clock, random, reportPace, render, linkTo }, { kind: 'email', recipients }, 'report')).rejects.toThrow('the store is away')
})

test('a document links to its own files', async () => {
  const content = { kind: 'stored', bytes: Buffer.alloc(20) } as const
  const expiresAt = new Date('2026-11-23T08:00:00Z')
  const linkedFiles = [
    { fileName: 'a.pdf', contentType: 'application/pdf', content, expiresAt },
    { fileName: 'b.csv', contentType: 'text/csv', content: { kind: 'csv', runId: 'run_1' } as const, expiresAt },
  ]
  const render = async () => ({ ...sampleReport(), linkedFiles })
  const { contents } = await composeReport({ clock, random, reportPace, render, linkTo }, { kind: 'email', recipients: recipients.slice(0, 2) }, 'report')
  for (const { id, document } of contents) {
    expect(document.downloads).toEqual([
      { fileName: 'a.pdf', link: `https://querypost.test/${id}/0`, sizeBytes: 20, expiresAt: expiresAt.toISOString() },
      { fileName: 'b.csv', link: `https://querypost.test/${id}/1`, expiresAt: expiresAt.toISOString() },
    ])
  }
  expect(new Set(contents.map(({ id }) => id)).size).toBe(2)
})
