import { afterEach, expect, test } from 'vitest'
import { sampleReport } from '../../testing/channels/sample-report.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import { seededRandom } from '../../testing/seeded-random.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { dueInMs, reportPaceOf } from '../domain/reports/report-pace.ts'
import type { ClaimedReportDelivery } from '../model/report-work.ts'
import { localWakeups } from '../store/wakeups.ts'
import { makeReportDeliveryWorker } from './report-delivery-worker.ts'

const reportPace = reportPaceOf(20)
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** A worker on a queue in memory, with channels that accept everything at once. */
function start() {
  const clock = manualClock()
  const wakeups = localWakeups()
  const sent: { organizationId: string; atMs: number }[] = []
  let queue: { delivery: ClaimedReportDelivery; dueMs: number }[] = []
  let claimCount = 0
  const worker = makeReportDeliveryWorker({
    clock,
    wakeups,
    reportPace,
    log: silentLog,
    random: seededRandom('report deliveries'),
    reportDeliveries: {
      async claim({ count, soonMs, servedOrganizations = [] }) {
        claimCount++
        const nowMs = clock.monotonicMs()
        const isMoreDueSoon = queue.some(({ dueMs }) => dueMs <= nowMs + soonMs)
        const lately = ({ delivery }: (typeof queue)[number]) => Number(servedOrganizations.includes(delivery.organizationId))
        const due = queue.filter(({ dueMs }) => dueMs <= nowMs).sort((a, b) => lately(a) - lately(b) || a.dueMs - b.dueMs).slice(0, count)
        queue = queue.filter((each) => !due.includes(each))
        return { deliveries: due.map(({ delivery }) => delivery), checkedCount: due.length, isMoreDueSoon }
      },
      readContent: async () => sampleReport(),
      record: async (records) => new Set(records.map(({ delivery }) => delivery.id)),
    },
    targetOf: ({ recipient }) => ({ kind: 'email', address: recipient, unsubscribeUrl: null }),
    senderOf: () => ({
      async send({ deliveryId }) {
        sent.push({ organizationId: deliveryId.split('_')[0]!, atMs: clock.monotonicMs() })
        return { kind: 'sent' }
      },
    }),
  })
  worker.start()
  stops.push(() => worker.stop({ graceMs: 0 }))
  return {
    sent,
    claimCount: () => claimCount,
    /** A report to this many recipients. */
    prepare(organizationId: string, recipientCount: number) {
      for (let position = 0; position < recipientCount; position++) {
        const id = `${organizationId}_${queue.length}_${position}`
        const delivery = { id, leaseNumber: 1, attemptNumber: 1, resendCount: 0, organizationId, reportId: 'rep', purpose: 'report', recipient: 'a@example.com', contentId: 'rct', channel: null } as const
        queue.push({ delivery, dueMs: clock.monotonicMs() + dueInMs(reportPace, position) })
      }
      wakeups.wake('report_deliveries')
    },
    async pass(ms: number) {
      for (let passedMs = 0; passedMs < ms; passedMs += 10) {
        await settle()
        await clock.advance(10)
      }
      await settle()
    },
  }
}

/** Everything here is in memory, so a few turns of the event loop are enough. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await new Promise((resolve) => setImmediate(resolve))
}

test('sends the first messages of a report at once and the others one after the other', async () => {
  const { sent, prepare, pass } = start()
  prepare('shop', 25)
  await pass(0)
  expect(sent).toHaveLength(reportPace.burst)
  await pass(500)
  expect(sent.length).toBeGreaterThan(reportPace.burst)
  expect(sent.length).toBeLessThanOrEqual(reportPace.burst + 10)
  await pass(1_000)
  expect(sent).toHaveLength(25)
})

test('sends no more messages of several reports together than the pace allows', async () => {
  const { sent, prepare, pass } = start()
  for (const organization of ['shop', 'bank', 'club', 'farm']) prepare(organization, 20)
  await pass(5_000)
  expect(sent).toHaveLength(80)
  for (const [position, { atMs }] of sent.entries()) expect(atMs).toBeGreaterThanOrEqual(dueInMs(reportPace, position))
})

test('sends the message of another organization before the backlog of reports to many', async () => {
  const { sent, prepare, pass } = start()
  for (const organization of ['shop', 'bank', 'club']) prepare(organization, 100)
  await pass(2_000)
  const sentBefore = sent.length
  prepare('farm', 1)
  await pass(200)
  const turn = sent.slice(sentBefore).findIndex(({ organizationId }) => organizationId === 'farm')
  expect([0, 1]).toContain(turn)
  await pass(2_000)
  const last = sent.slice(-30)
  for (const organization of ['shop', 'bank', 'club']) expect(last.filter(({ organizationId }) => organizationId === organization)).toHaveLength(10)
})

test('claims nothing while the pace is used up, and rests when nothing is due', async () => {
  const { claimCount, prepare, pass } = start()
  await pass(1_000)
  const atRest = claimCount()
  await pass(1_000)
  expect(claimCount()).toBe(atRest)
  for (const organization of ['shop', 'bank']) prepare(organization, 25)
  await pass(1_000)
  // The first five together, then one for each message that the pace allows.
  expect(claimCount() - atRest).toBeLessThanOrEqual(2 + 1_000 / reportPace.regainMs)
})
