import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Clock, systemClock } from '../../ports/clock.ts'
import { insertAutomation } from '../../store/automations/automations-table.ts'
import { type Db, openPostgres, type Store } from '../../store/db.ts'
import { type ManualClock, manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { silentLog } from '../../../testing/silent-log.ts'
import { storeTimeOf } from '../../../testing/store/store-time.ts'
import { openTestStore } from '../../../testing/store/test-store.ts'
import { newId } from '../ids.ts'
import { addMember, createOrganization, createUser } from '../people/organizations.ts'
import type { Schedule } from '../../model/automation.ts'
import { claimDueTimes } from './claim-due-times.ts'
import { nextDueAt } from './schedule.ts'
import { endRunsOf } from '../../../testing/work/automation-runs.ts'

/**
 * Several workers claim at the same time on one PostgreSQL, each with its own connections and clock. Some are killed: the server
 * ends their connection in the middle of a transaction, and they never return.
 */
const schedules: Schedule[] = [
  { cron: '* * * * *', timeZone: 'UTC' },
  { cron: '*/7 * * * *', timeZone: 'Asia/Kolkata' },
  { cron: '0 * * * *', timeZone: 'Australia/Lord_Howe' },
  { cron: '30 2,9,17 * * *', timeZone: 'Europe/Berlin' },
]
const automationsOfEach = 6

/** Where a worker is killed: it waits for a lock that the test holds, and then its connection is terminated. */
const places = [
  'chats in exclusive mode',
  'agent_runs in exclusive mode',
  'chat_messages in exclusive mode',
  'automations in share mode',
] as const

interface Worker {
  store: Store
  clock: Clock
  isDead: boolean
}

let store: Store & { url?: string }
let clock: ManualClock
let owner: { organizationId: string; userId: string }
const random = seededRandom('exactly once')

beforeAll(async () => {
  clock = manualClock('2026-03-28T20:00:00.000Z')
  store = await openTestStore('postgres', { clock })
  owner = await store.db.transaction().execute(async (tx) => {
    const deps = { tx, clock, random }
    const organizationId = (await createOrganization(deps, { name: 'Shop' })).id
    const userId = (await createUser(deps, { email: 'ada@shop.test', name: 'Ada', passwordHash: 'none' })).id
    return addMember(deps, { organizationId, userId, role: 'admin' })
  })
})
afterAll(() => store.close())

const connect = () =>
  openPostgres({ url: store.url!, maxConnections: 1, clock: systemClock, log: silentLog, beforeStatement: storeTimeOf(clock) })

/** Workers' clocks differ by some seconds; the store's time is correct. */
async function startWorker(aheadMs: number): Promise<Worker> {
  const now = () => new Date(clock.now().getTime() + aheadMs)
  return { store: await connect(), clock: { ...clock, now }, isDead: false }
}

async function claim(worker: Worker): Promise<void> {
  const { store: own, clock: ownClock } = worker
  const control = { isStopping: () => worker.isDead }
  await claimDueTimes({ ...own, clock: ownClock, random, log: silentLog }, control)
}

/** Terminates the worker's connection in the middle of its transaction, if it gets that far. Returns whether it did. */
async function kill(worker: Worker, place: (typeof places)[number], others: () => Promise<void>): Promise<boolean> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(worker.store.db)
  const { pid } = rows[0]!
  let isCaught = false
  let othersDone: Promise<void> | undefined
  await store.db.transaction().execute(async (holder) => {
    await sql.raw(`lock table ${place}`).execute(holder)
    let isOver = false
    const claiming = claim(worker).catch(() => {}).finally(() => (isOver = true))
    while (!isOver && !isCaught) isCaught = await isWaiting(pid)
    othersDone = others()
    worker.isDead = true
    if (isCaught) await sql`select pg_terminate_backend(${pid})`.execute(store.db)
    await claiming
  })
  await othersDone
  await worker.store.close()
  return isCaught
}

async function isWaiting(pid: number): Promise<boolean> {
  const { rows } = await sql`select from pg_stat_activity where pid = ${pid} and wait_event_type = 'Lock'`.execute(store.db)
  return rows.length === 1
}

async function addAutomations(): Promise<{ id: string; schedule: Schedule; first: Date }[]> {
  const now = clock.now()
  const added = []
  for (const schedule of schedules) {
    for (let number = 0; number < automationsOfEach; number++) {
      const id = newId(random, 'automation')
      const first = nextDueAt(schedule, now)!
      const content = { name: 'A', instructions: 'Look.', agent: 'digest', enabled: true, strict: false, condition: null, referenceIds: [] } as const
      await store.db.transaction().execute((tx) =>
        insertAutomation(tx, { ...content, referenceIds: [], id, ...owner, createdBy: owner.userId, schedule, nextDueAt: first, now }),
      )
      added.push({ id, schedule, first })
    }
  }
  return added
}

/** Each run covers its due time and the missed times merged into it; together, in order, they must make up the whole schedule. */
async function expectEachTimeOnce(db: Db, automation: { id: string; schedule: Schedule; first: Date }, until: Date): Promise<number> {
  const runs = await db
    .selectFrom('agent_runs')
    .select(['due_at', 'missed_count'])
    .where('automation_id', '=', automation.id)
    .orderBy('due_at')
    .execute()
  let expected: Date = automation.first
  for (const run of runs) {
    expect(run.due_at).toEqual(expected)
    for (let count = 0; count <= run.missed_count; count++) expected = nextDueAt(automation.schedule, expected)!
  }
  const row = await db.selectFrom('automations').select('next_due_at').where('id', '=', automation.id).executeTakeFirstOrThrow()
  expect(row.next_due_at).toEqual(expected)
  expect(expected.getTime()).toBeGreaterThan(until.getTime())
  return runs.length
}

test('every due time gives exactly one run, even if workers race or are killed', async () => {
  const round = fc.record({
    advanceSeconds: fc.oneof(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 3600, max: 9000 })),
    /** How far ahead the clock of each worker in this round is. */
    aheadMs: fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 3 }),
    killedAt: fc.oneof(fc.constant(null), fc.constantFrom(...places)),
    /** Before the round, the runs of every n-th automation end. */
    endEvery: fc.integer({ min: 1, max: 3 }),
  })
  let killed = 0
  let ran = 0
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 3, maxLength: 6 }), async (rounds) => {
      await store.db.updateTable('automations').set({ enabled: false, next_due_at: null }).execute()
      const automations = await addAutomations()
      for (const { advanceSeconds, aheadMs, killedAt, endEvery } of rounds) {
        for (const { id } of automations.filter((_, index) => index % endEvery === 0)) await endRunsOf(store.db, id, clock.now())
        clock.leap(advanceSeconds * 1000)
        const workers = await Promise.all(aheadMs.map(startWorker))
        const all = async () => void (await Promise.all(workers.map(claim)))
        if (killedAt && (await kill(await startWorker(0), killedAt, all))) killed++
        if (!killedAt) await all()
        await Promise.all(workers.map((worker) => worker.store.close()))
      }
      // Times that waited for a run to end get their turn.
      for (const { id } of automations) await endRunsOf(store.db, id, clock.now())
      const last = await startWorker(5000)
      await claim(last)
      await last.store.close()
      for (const automation of automations) ran += await expectEachTimeOnce(store.db, automation, clock.now())
    }),
    { seed: 4, numRuns: 8, endOnFailure: true },
  )
  expect(killed).toBeGreaterThan(5)
  expect(ran).toBeGreaterThan(200)
})
