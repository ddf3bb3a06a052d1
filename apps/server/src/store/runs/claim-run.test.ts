import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testMembers } from '../../../testing/people/members.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { withOpenSnapshot } from '../../../testing/store/open-snapshot.ts'
import { openStatementCosts, type StatementCosts } from '../../../testing/store/statement-cost.ts'
import { openTestStore } from '../../../testing/store/test-store.ts'
import type { Db, Store } from '../db.ts'
import { claimRun, type ClaimOptions } from './claim-run.ts'
import { endRun } from './end-run.ts'

const clock = manualClock()
const now = clock.now()

/** Adds databases `db_<organization>_<n>` with the given numbers of pending runs, each requested a second after the previous. */
async function fill(db: Db, organizations: { id: string; userId: string; runCounts: number[] }[]): Promise<void> {
  for (const { id, userId, runCounts } of organizations) {
    for (const [index, runCount] of runCounts.entries()) {
      const configId = `db_${id}_${index}`
      await sql`
        insert into analytical_database_configs (id, organization_id, name, engine, settings, created_by, created_at)
        values (${configId}, ${id}, ${configId}, 'duckdb', '{"file": "x.duckdb"}', ${userId}, ${now})`.execute(db)
      await sql`
        with made as (
          insert into queries (id, organization_id, sql, analytical_database_config_id, created_by, created_at, updated_at)
          select gen_random_uuid(), ${id}, 'select ' || i, ${configId}, ${userId}, ${now}, ${now}
          from generate_series(1, ${runCount}::integer) as i
          returning id, sql)
        select count(*) from made`.execute(db)
      // A separate statement, because the trigger that sets a run's database looks up its query.
      await sql`
        insert into runs (id, organization_id, query_id, number, status, trigger_id, parameter_values, parameter_types, rendered_sql, run_at)
        select 'run_' || ${configId} || '_' || i, ${id}, id, 1, 'pending', ${userId}, '{}', '{}', sql,
          ${now}::timestamptz + i * interval '1 second'
        from queries, lateral (select substr(sql, 8)::integer as i) as numbered
        where analytical_database_config_id = ${configId}`.execute(db)
    }
  }
}

const options = (rest: Partial<ClaimOptions> & { runFrom?: Date } = {}): ClaimOptions => ({
  workerId: 'worker_1',
  leaseMs: 30_000,
  fullDatabaseConfigIds: [],
  ...rest,
})

async function organizationsOf(store: Store, count: number) {
  const people = testMembers({ db: store.db, clock, random: seededRandom('claims') })
  const organizations: { id: string; userId: string }[] = []
  for (let each = 0; each < count; each++) {
    const { organizationId, userId } = await people.member(await people.organization())
    organizations.push({ id: organizationId, userId })
  }
  return organizations
}

describe('a claim takes', () => {
  let store: Store
  let few: string
  let many: string

  beforeAll(async () => {
    store = await openTestStore('pglite')
    const [first, second] = await organizationsOf(store, 2)
    few = first!.id
    many = second!.id
    await fill(store.db, [
      { ...second!, runCounts: [3, 2, 1] },
      { ...first!, runCounts: [1, 1] },
    ])
  })
  afterAll(() => store.close())

  const inTurn = async (rest: Partial<ClaimOptions>) => {
    const tx = await store.db.startTransaction().execute()
    const { run: claimed } = await claimRun(tx, options(rest))
    await tx.rollback().execute()
    return claimed && { of: claimed.organizationId, from: claimed.database.id, sql: claimed.renderedSql, isMorePending: claimed.isMorePending }
  }

  test('the oldest run of the organization with the fewest runs in hand', async () => {
    expect(await inTurn({ runCountsByOrganization: new Map([[many, 1]]) })).toMatchObject({ of: few, sql: 'select 1' })
    expect(await inTurn({ runCountsByOrganization: new Map([[many, 2], [few, 1]]) })).toMatchObject({ of: few })
    expect(await inTurn({ runCountsByOrganization: new Map([[many, 1], [few, 2]]) })).toMatchObject({ of: many, sql: 'select 1' })
  })

  test('no run of a full database, however many are waiting', async () => {
    const full = [`db_${few}_0`, `db_${few}_1`, `db_${many}_0`]
    expect(await inTurn({ fullDatabaseConfigIds: full })).toMatchObject({ of: many, from: `db_${many}_1` })
    expect(await inTurn({ fullDatabaseConfigIds: [...full, `db_${many}_1`, `db_${many}_2`] })).toBeUndefined()
  })

  test('for a newcomer slot, only runs of organizations with none in hand', async () => {
    const runCountsByOrganization = new Map([[few, 1]])
    expect(await inTurn({ runCountsByOrganization, onlyNewOrganizations: true })).toMatchObject({ of: many })
    const both = new Map([[few, 1], [many, 1]])
    expect(await inTurn({ runCountsByOrganization: both, onlyNewOrganizations: true })).toBeUndefined()
  })

  test('the last pending run, and reports it', async () => {
    const tx = await store.db.startTransaction().execute()
    const claims: boolean[] = []
    for (;;) {
      const { run: claimed } = await claimRun(tx, options())
      if (!claimed) break
      claims.push(claimed.isMorePending)
    }
    await tx.rollback().execute()
    expect(claims).toEqual([...Array.from({ length: 7 }, () => true), false])
  })

  test('a run together with its database’s current configuration', async () => {
    await sql`update analytical_database_configs
      set engine = 'postgres', settings = '{"host": "db.example"}', sealed_password = '\\x01', revision = 7
      where id = ${`db_${few}_0`}`.execute(store.db)
    const { run: claimed } = await claimRun(store.db, options({ fullDatabaseConfigIds: [`db_${few}_1`], runCountsByOrganization: new Map([[many, 1]]) }))
    expect(claimed).toMatchObject({ isDatabaseDeleted: false, organizationId: few })
    expect(claimed!.database).toEqual({
      id: `db_${few}_0`,
      organizationId: few,
      engine: 'postgres',
      settings: { host: 'db.example' },
      sealedPassword: expect.anything(),
      revision: 7,
    })
  })
})

describe('a claim whose commit fails', () => {
  let store: Store

  beforeAll(async () => {
    store = await openTestStore('postgres')
    await fill(store.db, [{ ...(await organizationsOf(store, 1))[0]!, runCounts: [1] }])
  })
  afterAll(() => store.close())

  test('leaves the run to others, under the same lease number', async () => {
    await sql`
      create function fail_commit() returns trigger language plpgsql as $$ begin raise 'No commit.'; end $$`.execute(store.db)
    await sql`create constraint trigger fail_commits after update on runs deferrable initially deferred
      for each row execute function fail_commit()`.execute(store.db)
    const { run: lost } = await claimRun(store.db, options())
    await expect(lost!.committed).rejects.toThrow('No commit.')
    await sql`drop trigger fail_commits on runs`.execute(store.db)
    await sql`drop function fail_commit`.execute(store.db)
    const { run: claimed } = await claimRun(store.db, options({ workerId: 'worker_2' }))
    await claimed!.committed
    expect(claimed).toMatchObject({ id: lost!.id, leaseNumber: lost!.leaseNumber })
    // The lease number is the same, so the end also has to compare the worker.
    const failed = { status: 'failed', reason: 'No.' } as const
    expect(await endRun(store.db, { ...lost!, workerId: 'worker_1' }, failed)).toBe(false)
    expect(await endRun(store.db, { ...claimed!, workerId: 'worker_2' }, failed)).toBe(true)
  })
})

describe('the cost of a claim', () => {
  let store: Store & { url?: string }
  let costs: StatementCosts
  const waiting = 4000

  beforeAll(async () => {
    store = await openTestStore('postgres', { isNew: true })
    const organizations = await organizationsOf(store, 5)
    await fill(
      store.db,
      organizations.map(({ id, userId }, index) => ({ id, userId, runCounts: index === 0 ? [waiting, 1] : [1] })),
    )
    await sql`analyze`.execute(store.db)
    costs = openStatementCosts(store.url!, { plan: 'generic' })
  })
  afterAll(async () => {
    await costs.close()
    await store.close()
  })

  test('does not grow with runs waiting for a full database', async () => {
    const { rows } = await sql<{ id: string }>`
      select analytical_database_config_id as id from runs group by 1 having count(*) > 1`.execute(store.db)
    const { answer, cost } = await costs.measure((db) => claimRun(db, options({ fullDatabaseConfigIds: [rows[0]!.id] })))
    expect(answer.run).toBeDefined()
    // Six databases have pending runs. The oldest run of each is read, and that of the chosen one a second time.
    expect(cost.rowsInOneStep).toBeLessThan(20)
    expect(cost.sortedRows).toBeLessThan(10)
    expect(cost.buffers).toBeLessThan(150)
  })

  test('does not grow with runs that ended since an open snapshot', async () => {
    await withOpenSnapshot(store.db, async () => {
      const left = 10
      await sql`
        update runs set status = 'failed', completed_at = run_at, failure_reason = 'it failed'
        where id not in (select id from runs order by run_at desc limit ${left})`.execute(store.db)
      const full = await costs.measure((db) => claimRun(db, options()))
      const fromFloor = await costs.measure((db) => claimRun(db, options({ runFrom: full.answer.earliestRunAt! })))
      expect(full.answer.earliestRunAt).toEqual(new Date(now.getTime() + (waiting - left + 1) * 1000))
      expect(full.answer.run).toBeDefined()
      expect(fromFloor.answer.run).toBeDefined()
      // The first claim checks each old entry; the second skips them.
      expect(full.cost.buffers).toBeGreaterThan(2 * fromFloor.cost.buffers)
      expect(fromFloor.cost.buffers).toBeLessThan(150)
    })
  })

  test('reports that there is nothing to claim', async () => {
    await sql`update runs set status = 'failed', completed_at = run_at, failure_reason = 'it failed'`.execute(store.db)
    expect(await claimRun(store.db, options())).toEqual({ run: undefined, earliestRunAt: null, claimedAt: expect.any(Date) })
  })
})
