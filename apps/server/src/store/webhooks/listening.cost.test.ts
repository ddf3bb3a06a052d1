import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testMembers } from '../../../testing/people/members.ts'
import { beforeFirstEvent, emptySnapshot, anyAge } from '../../domain/webhooks/listening/position.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { openStatementCosts, type StatementCosts } from '../../../testing/store/statement-cost.ts'
import { openTestStore, type TestStore } from '../../../testing/store/test-store.ts'
import { readBeginning } from './begin-listening.ts'
import { findEventNews } from './find-event-news.ts'
import { readPublishedEvents } from './read-published-events.ts'

/** A busy organization has one event per second, each from its own transaction. Others have as many in the same time. */
const eventCount = 8000
const firstXid = 10

let store: TestStore
let costs: StatementCosts
let organizationId: string
const clock = manualClock()
const ago = (seconds: number) => new Date(clock.now().getTime() - seconds * 1000)
/** A snapshot that misses only the newest events. */
const before = (newest: number) => {
  const next = firstXid + 2 * (eventCount - newest) + 2
  return `${next}:${next}:`
}

beforeAll(async () => {
  store = await openTestStore('postgres', { isNew: true })
  const people = testMembers({ db: store.db, clock, random: seededRandom('listening cost') })
  organizationId = (await people.member(await people.organization())).organizationId
  const other = (await people.member(await people.organization())).organizationId
  await sql`
    insert into webhook_events (id, organization_id, type, created_at, body, published_xid)
    select 'evt_' || i || '_' || n, organization_id, 'automation.run.completed',
      ${clock.now()}::timestamptz - (${eventCount}::integer - i) * interval '1 second', '{}',
      (${firstXid}::integer + 2 * i + n)::text::xid8
    from generate_series(1, ${eventCount}::integer) as i,
      (values (0, ${organizationId}), (1, ${other})) as of_organization (n, organization_id)`.execute(store.db)
  costs = openStatementCosts(store.url!)
})
afterAll(async () => {
  await costs.close()
  await store.close()
})

test.each([false, true])('checks and reads depend on new events, not on all events (with statistics: %s)', async (isAnalyzed) => {
  if (isAnalyzed) await sql`analyze`.execute(store.db)
  const look = (seen: string) => costs.measure((db) => findEventNews(db, [{ organizationId, seen }]))
  expect((await look(before(0))).answer).toMatchObject([{ hasNews: false }])
  for (const newest of [0, 1, eventCount / 2]) expect((await look(before(newest))).cost.buffers).toBeLessThan(20)

  const read = (seen: string, notBefore = anyAge) =>
    costs.measure((db) => {
      const stretch = { seen, upTo: before(0), after: beforeFirstEvent, notBefore }
      return readPublishedEvents(db, { organizationId, stretch, count: 50 })
    })
  for (const newest of [0, 1, 50, eventCount]) {
    const { answer, cost } = await read(before(newest))
    expect(answer).toHaveLength(Math.min(newest, 50))
    expect(cost.buffers, `${newest} new`).toBeLessThan(150)
  }

  // The last minute of a long time: older events are skipped within the index.
  const { answer, cost } = await read(emptySnapshot, ago(60).toISOString())
  expect(answer).toHaveLength(50)
  expect(cost.buffers).toBeLessThan(200)
  const beginning = await costs.measure((db) => readBeginning(db, { organizationId, seen: before(10), notBefore: ago(3600) }))
  expect(beginning.answer).toMatchObject({ hasOlder: false })
  expect(beginning.cost.buffers).toBeLessThan(50)
})
