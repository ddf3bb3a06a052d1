import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../ports/clock.ts'
import { openPostgres } from '../store/db.ts'
import { migrate } from '../store/migrate.ts'
import { type PostgresServer, startPostgresServer } from '../../testing/servers/postgres-server.ts'
import { seededRandom } from '../../testing/seeded-random.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { createDatabase } from '../../testing/store/create-database.ts'
import { storeTimeOf } from '../../testing/store/store-time.ts'
import { openTestStore, storeKinds } from '../../testing/store/test-store.ts'
import { type AgentRunFixture, openAgentRunFixture, settle, until } from '../../testing/work/agent-run-fixture.ts'
import { killable } from '../../testing/work/killable-store.ts'

let office: AgentRunFixture | undefined
afterEach(async () => {
  await office?.close()
  office = undefined
})

describe.each(storeKinds)('killed agent run workers on %s', (kind) => {
  test('every run ends, each with one event, one last message and one set of deliveries', async () => {
    office = await openAgentRunFixture((clock) => openTestStore(kind, { clock }), `kills ${kind}`)
    const { held, clock, db } = office
    await office.addEndpoint()
    const chance = seededRandom('who is killed')
    const oneOf = (count: number) => chance.bytes(1)[0]! % count
    const runIds: string[] = []
    for (let count = 0; count < 24; count++) runIds.push(await office.request(await office.addAutomation()))
    const mortals = Array.from({ length: 3 }, () => killable(db))
    for (const { db: mortalDb } of mortals) office.startWorker({ db: mortalDb })
    let settled = 0
    for (;;) {
      const { rows } = await sql<{ open: number }>`
        select count(*)::integer as open from agent_runs where ended_at is null`.execute(db)
      if (rows[0]!.open === 0) break
      // Agents write and end; from time to time a worker is killed and another takes its place.
      for (; settled < held.tasks.length; settled += 1) {
        const { task, complete } = held.tasks[settled]!
        void task.chat.add({ kind: 'text', text: `attempt ${settled}` }).then(() => complete(), () => {})
        if (oneOf(8) === 0) {
          for (let turn = oneOf(30); turn > 0; turn -= 1) await settle()
          const place = oneOf(mortals.length)
          mortals[place]!.kill()
          mortals[place] = killable(db)
          office.startWorker({ db: mortals[place].db })
        }
      }
      await clock.advance(1000)
      await settle()
    }
    const runs = await db.selectFrom('agent_runs').selectAll().execute()
    const events = await office.events()
    expect(events.map(({ data }) => data.runId).toSorted()).toEqual(runIds.toSorted())
    expect(runs.map(({ event_id: eventId }) => eventId!).toSorted()).toEqual(events.map(({ id }) => id).toSorted())
    expect(await office.deliveries()).toHaveLength(runs.length)
    for (const run of runs) {
      const kinds = (await office.messagesOf(run.id)).map(({ content }) => content.kind)
      expect(kinds.filter((is) => is === 'summary' || is === 'failure')).toEqual([kinds.at(-1)])
      // One start more than the number of times its worker died.
      expect(kinds.filter((is) => is === 'note')).toHaveLength(run.attempt_count - 1)
    }
    expect(runs.some((run) => run.attempt_count > 1)).toBe(true)
  })
})

describe('on a server that goes away', () => {
  let server: PostgresServer

  beforeAll(async () => {
    server = await startPostgresServer()
    const admin = await openPostgres({ url: server.url, clock: systemClock, log: silentLog })
    await sql`create database migrated`.execute(admin.db)
    await admin.close()
    const store = await openPostgres({ url: server.urlOf('migrated'), clock: systemClock, log: silentLog })
    await migrate({ db: store.db, clock: systemClock })
    await store.close()
  })
  afterAll(() => server?.stop())

  test.each(['shutdown', 'crash'] as const)('an outage of the store (%s) only delays a run', async (how) => {
    const url = await createDatabase(server.url, { template: 'migrated' })
    office = await openAgentRunFixture(
      (clock) => openPostgres({ url, clock: systemClock, log: silentLog, beforeStatement: storeTimeOf(clock) }),
      'away',
    )
    office.startWorker()
    const runId = await office.request(await office.addAutomation())
    await office.whenTasks(1)
    // Flush to disk, because this server would lose it in a crash.
    await sql`checkpoint`.execute(office.db)
    await server.interrupt(how)
    office.held.tasks[0]!.complete({ summary: 'Worth keeping.' })
    // The outcome cannot be recorded, and the lease cannot be renewed.
    for (let second = 0; second < 20; second += 1) {
      await office.clock.advance(1000)
      await settle()
    }
    await server.resume()
    const ended = await until(async () => {
      await office!.clock.advance(1000)
      const run = await office!.stateOf(runId).catch(() => undefined)
      return run?.endedAt && run
    })
    expect(ended).toMatchObject({ status: 'completed', summary: 'Worth keeping.' })
    expect(await office.events()).toHaveLength(1)
    expect(office.held.tasks).toHaveLength(1)
  })
})
