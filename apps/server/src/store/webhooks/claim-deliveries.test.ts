import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { manualClock } from '../../../testing/manual-clock.ts'
import { testMembers } from '../../../testing/people/members.ts'
import { pollPause } from '../../../testing/poll-pause.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { openTestStore } from '../../../testing/store/test-store.ts'
import type { Db } from '../db.ts'
import { createPartition } from '../partitions/change-partitions.ts'
import { claimDeliveries } from './claim-deliveries.ts'

/** Three events for each of three endpoints, each so often that the claim uses memory again that it has freed. */
const repeats = 1_000

test('a claim goes on when another process changes a delivery that it is about to lock', async () => {
  const clock = manualClock()
  const now = clock.now()
  const { db, close } = await openTestStore('postgres', { isNew: true, clock })
  const people = testMembers({ db, clock, random: seededRandom('changed') })
  const { organizationId, userId } = await people.member(await people.organization())
  await createPartition(db, { table: 'webhook_events', name: 'webhook_events_p1', from: 'evt_zA', to: 'evt_zB' })
  await createPartition(db, { table: 'webhook_events', name: 'webhook_events_p2', from: 'evt_zB', to: 'evt_zC' })
  await sql`
    insert into webhook_events (id, organization_id, type, created_at, body)
    select id, ${organizationId}, 'automation.run.completed', ${now}, id from unnest(array['evt_1', 'evt_zA1', 'evt_zB1']) as id`.execute(db)
  await sql`
    insert into webhook_endpoints (id, organization_id, url, event_types, state, secret, created_by, created_at, updated_at)
    select 'we_' || i, ${organizationId}, 'https://hooks.example/', '{automation.run.completed}', 'enabled', '', ${userId}, ${now}, ${now}
    from generate_series(1, 3) as i`.execute(db)
  await sql`
    insert into webhook_deliveries (id, event_id, endpoint_id, state, is_test, created_at, next_attempt_at)
    select event.id || endpoint.id || i, event.id, endpoint.id, 'pending', false, ${now}, ${now}
    from webhook_events as event, webhook_endpoints as endpoint, generate_series(1, ${repeats}::integer) as i`.execute(db)

  const claim = await untilItReads(db, organizationId, {
    act: () =>
      claimDeliveries(db, {
        workerId: 'worker_1',
        leaseMs: 1000,
        count: 9 * repeats,
        afterLane: '',
        rooms: new Map(),
        roomOfOthers: 4 * repeats,
        unfinished: [],
        goneWorkers: [],
        dueFrom: new Date(0),
      }),
    during: () => sql`update webhook_deliveries set lease_number = lease_number + 1 where id = 'evt_1we_11'`.execute(db),
  })
  const others = claim.deliveries.filter(({ id }) => id !== 'evt_1we_11')
  expect(others).toHaveLength(9 * repeats - 1)
  expect(others.filter(({ eventId, body }) => body !== eventId)).toEqual([])
  await close()
}, 30_000)

/** Stops the statement of `act` when it reads the organization: its snapshot is older than what happens then. */
async function untilItReads<Answer>(
  db: Db,
  organizationId: string,
  { act, during }: { act(): Promise<Answer>; during(): Promise<unknown> },
): Promise<Answer> {
  await sql`alter table organizations rename to all_organizations`.execute(db)
  await sql`
    create view organizations as
    select * from all_organizations where pg_advisory_xact_lock_shared(hashtext(id)) is not null`.execute(db)
  return db.connection().execute(async (holder) => {
    await sql`select pg_advisory_lock(hashtext(${organizationId}))`.execute(holder)
    let isOver = false
    const acting = act().finally(() => (isOver = true))
    while (!isOver && !(await isOneWaiting(holder))) await pollPause()
    await during()
    await sql`select pg_advisory_unlock(hashtext(${organizationId}))`.execute(holder)
    return acting
  })
}

async function isOneWaiting(db: Db): Promise<boolean> {
  const { rows } = await sql`select from pg_locks where locktype = 'advisory' and not granted`.execute(db)
  return rows.length > 0
}
