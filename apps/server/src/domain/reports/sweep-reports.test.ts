import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleReport } from '../../../testing/channels/sample-report.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { testMembers } from '../../../testing/people/members.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { openTestStore } from '../../../testing/store/test-store.ts'
import type { Store } from '../../store/db.ts'
import { insertReportContents, insertReportDeliveries } from '../../store/reports/insert-report-deliveries.ts'
import { insertTestJob } from '../../store/reports/insert-report-jobs.ts'
import { insertReport, markReportDeleted } from '../../store/reports/reports-table.ts'
import { newId } from '../ids.ts'
import { reportSweeps } from './sweep-reports.ts'

const clock = manualClock()
const random = seededRandom('sweeping reports')
const dayMs = 24 * 3600_000
let store: Store
beforeAll(async () => void (store = await openTestStore('pglite', { clock })))
afterAll(() => store.close())

const tables = ['report_deliveries', 'report_jobs', 'report_downloads', 'report_contents', 'report_files', 'reports'] as const

/** How many rows remain in each table after sweeping. */
async function remaining(): Promise<Record<(typeof tables)[number], number>> {
  for (const sweep of reportSweeps({ db: store.db, clock })) await sweep.removeBatch()
  const counts = await Promise.all(tables.map(async (table) => [table, (await store.db.selectFrom(table).selectAll().execute()).length] as const))
  return Object.fromEntries(counts) as Record<(typeof tables)[number], number>
}

test('keeps the log of deliveries for 90 days, due deliveries as long as they are due, and files until their links expire', async () => {
  const { db } = store
  const people = testMembers({ db, clock, random })
  const { organizationId, userId } = await people.member(await people.organization())
  const [automationId, reportId, jobId] = [newId(random, 'automation'), newId(random, 'rep'), newId(random, 'rjob')]
  const now = clock.now()
  await db
    .insertInto('automations')
    .values({ id: automationId, organization_id: organizationId, name: 'Weekly', instructions: 'Look.', agent: 'digest', enabled: true, created_by: userId, created_at: now, updated_at: now })
    .execute()
  const bytes = Buffer.from('a file')
  const linkedFiles = [{ fileName: 'a.pdf', contentType: 'application/pdf', content: { kind: 'stored', bytes } as const, expiresAt: new Date(now.getTime() + 7 * dayMs) }]
  const deliveryTo = (recipient: string) => ({ id: newId(random, 'rdl'), purpose: 'test', recipient, userId: null, channelId: null, values: null, contentId: 'rct_1' }) as const
  await db.transaction().execute(async (tx) => {
    await insertReport(tx, {
      id: reportId,
      organizationId,
      automationId,
      content: { kind: 'summary' },
      target: { kind: 'email', recipients: [] },
      when: 'always', minimumSeverity: null,
      values: null,
      attachments: [],
      isEnabled: true,
      createdBy: userId,
      createdAt: now,
      updatedAt: now,
    })
    await insertTestJob(tx, { id: jobId, organizationId, reportId, requestedBy: userId, isForRequester: true, resultsSince: now })
    await insertReportContents(tx, { organizationId, contents: [{ id: 'rct_1', ...sampleReport(), linkedFiles }] })
    await insertReportDeliveries(tx, { organizationId, reportId, jobId, agentRunId: null }, [deliveryTo('a@example.com'), deliveryTo('b@example.com')])
    await markReportDeleted(tx, { reportId, now })
  })
  const end = (recipient: string) =>
    db.updateTable('report_deliveries').set({ state: 'sent', next_attempt_at: null, ended_at: clock.now() }).where('recipient', '=', recipient).execute()
  await db.updateTable('report_jobs').set({ state: 'prepared', next_attempt_at: null, ended_at: now }).execute()
  await end('a@example.com')

  const all = { report_deliveries: 2, report_jobs: 1, report_downloads: 1, report_contents: 1, report_files: 1, reports: 1 }
  expect(await remaining()).toEqual(all)
  clock.leap(7 * dayMs - 1)
  expect(await remaining()).toEqual(all)
  clock.leap(1)
  expect(await remaining()).toEqual({ ...all, report_downloads: 0 })
  clock.leap(83 * dayMs)
  expect(await remaining()).toEqual({ ...all, report_downloads: 0 })
  clock.leap(1)
  // The second is still due, so its job, its document and its report stay.
  const ofDue = { ...all, report_downloads: 0, report_deliveries: 1 }
  expect(await remaining()).toEqual(ofDue)
  clock.leap(dayMs)
  await end('b@example.com')
  expect(await remaining()).toEqual({ report_deliveries: 0, report_jobs: 0, report_downloads: 0, report_contents: 0, report_files: 0, reports: 0 })
})
