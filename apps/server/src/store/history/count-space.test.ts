import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { fillTable } from '../../../testing/store/fill-table.ts'
import { openTestStore, storeKinds, type TestStore } from '../../../testing/store/test-store.ts'
import { historyLimitsDefault } from '../../model/history.ts'
import { readMigrations } from '../migration-files.ts'
import { makeSqlArchiveJobStore } from './archive-jobs.ts'
import { beginObject, findBaseObject } from './archive-objects.ts'
import { listHistoryUse, readStoredBytes, saveHistoryLimits, saveReferenceHistoryLimits } from './history-limits-tables.ts'
import { expireKeptResults, findRemovedObjects, forgetObjects, removeUnusedObjects, shrinkHistories } from './remove-archived.ts'

const dayMs = 24 * 3600_000
const minuteMs = 60_000
/** Steps take five times as long on the embedded store, where nothing happens at the same time anyway. */
const stepCounts = { pglite: 15, postgres: 40 }
const tables = ['archive_chains', 'reference_space', 'organization_space']
const organizations = ['org_1', 'org_2'] as const
const queriesEach = 3
/** Every query has two references, so that they share all results. */
const referencesEach = queriesEach * 2

describe.each(storeKinds)('the space of kept results on %s', (kind) => {
  const clock = manualClock()
  const random = seededRandom(`space of kept results on ${kind}`)
  const below = (limit: number) => random.bytes(1)[0]! % limit
  let store: TestStore
  let runNumber = 0

  beforeAll(async () => {
    store = await openTestStore(kind, { clock })
    await store.db.connection().execute(async (db) => {
      await sql`set session_replication_role = replica`.execute(db)
      for (const id of organizations) {
        await fillTable(db, { table: 'organizations', count: 1, columns: { id: sql`${id}` } })
        const query = sql`md5(${id} || (number - 1) / 2)::uuid`
        await fillTable(db, {
          table: 'query_references',
          count: referencesEach,
          columns: { id: sql`${id} || '_ref_' || number`, organization_id: sql`${id}`, query_id: query, is_optimistic: sql`false` },
        })
      }
      await sql`set session_replication_role = origin`.execute(db)
    })
  })
  afterAll(() => store.close())

  async function addRun(): Promise<{ runId: string; organizationId: string }> {
    runNumber += 1
    const runId = `run_${runNumber}`
    const organizationId = organizations[below(organizations.length)]!
    const query = below(queriesEach)
    const now = clock.now()
    await store.db.connection().execute(async (db) => {
      await sql`set session_replication_role = replica`.execute(db)
      await fillTable(db, {
        table: 'runs',
        count: 1,
        columns: {
          id: sql`${runId}`, organization_id: sql`${organizationId}`, query_id: sql`md5(${organizationId} || ${String(query)})::uuid`,
          number: sql`${runNumber}::integer`, status: sql`'completed'`, completed_at: sql`${now}::timestamptz`, row_count: sql`1`,
          result_size_bytes: sql`1`, result_hash: sql`'hash'`,
        },
      })
      await sql`
        insert into archive_jobs (run_id, organization_id, requested_at, lease_number, attempt_count, next_attempt_at)
        values (${runId}, ${organizationId}, ${now}, 1, 1, ${now})`.execute(db)
      await sql`set session_replication_role = origin`.execute(db)
    })
    return { runId, organizationId }
  }

  /** Keeps the result of a new run: as a whole document, as a difference, or because an equal one is stored. */
  async function keep({ runId, organizationId }: { runId: string; organizationId: string }, how: number): Promise<void> {
    const base = how === 0 ? null : ((await findBaseObject(store.db, { runId })) ?? null)
    const isEqual = base !== null && how === 1
    const objectId = isEqual ? base.id : `arc_${runId}`
    if (!isEqual) {
      await beginObject(store.db, {
        id: objectId, organizationId, contentHash: runId, base, place: 'files', documentBytes: 1000, differenceBytes: base ? 10 : 0,
      })
    }
    const storedBytes = isEqual ? null : 100 + below(100)
    const job = { id: runId, leaseNumber: 1, attemptNumber: 1, organizationId }
    await makeSqlArchiveJobStore({ db: store.db }).record(job, { state: 'archived', objectId, storedBytes }, { endedAgoMs: 0 })
  }

  /** Each sweep once, whenever it ran last, and those that have several batches completely. */
  async function sweep(): Promise<void> {
    const now = clock.now()
    await sql`update sweep_walks set finished_at = null`.execute(store.db)
    await Promise.all([
      expireKeptResults(store.db, { defaults: historyLimitsDefault, now }),
      shrinkHistories(store.db, { defaults: historyLimitsDefault, now }),
      removeUnusedObjects(store.db, { now, writingSince: new Date(now.getTime() - dayMs) }),
    ])
  }

  async function forget(): Promise<void> {
    const removed = await findRemovedObjects(store.db, { removedBefore: clock.now(), places: ['files'], count: 1000 })
    await forgetObjects(store.db, removed.map(({ id }) => id))
  }

  const steps = [
    async () => {
      const runs = []
      for (let count = 1 + below(4); count > 0; count -= 1) runs.push([await addRun(), below(4)] as const)
      await Promise.all(runs.map(([run, how]) => keep(run, how)))
    },
    async () => {
      const runs = [await addRun(), await addRun()]
      await Promise.all([sweep(), ...runs.map((run) => keep(run, below(4)))])
    },
    () =>
      store.db.transaction().execute((tx) =>
        saveReferenceHistoryLimits(tx, {
          referenceId: `org_1_ref_${1 + below(referencesEach)}`, limits: { days: null, count: below(4) }, now: clock.now(),
        }),
      ),
    () =>
      store.db.transaction().execute((tx) =>
        saveHistoryLimits(tx, { organizationId: 'org_2', limits: { days: 90, count: 400, bytes: 500 + 10 * below(100) }, now: clock.now() }),
      ),
    forget,
  ]

  const read = async () => {
    const counted = []
    for (const organizationId of organizations) {
      const uses = await listHistoryUse(store.db, { organizationId, count: 100 })
      counted.push({
        bytes: await readStoredBytes(store.db, organizationId),
        references: uses.map(({ item, key }) => ({ id: key.id, bytes: item.storedBytes, results: item.resultCount })),
      })
    }
    return counted
  }

  /** The same, computed from all objects and results. */
  const compute = async () => {
    const computed = []
    for (const organizationId of organizations) {
      const { rows: sums } = await sql<{ bytes: number }>`
        select coalesce(sum(stored_bytes), 0)::double precision as bytes from archive_objects
        where organization_id = ${organizationId} and removed_at is null`.execute(store.db)
      const { rows: references } = await sql<{ id: string; bytes: number; results: number }>`
        with live as (
          select result.reference_id, result.at, object.key_id
          from archived_results as result join archive_objects as object on object.id = result.object_id
          where result.organization_id = ${organizationId} and result.removed_at is null),
        owner as (select distinct on (key_id) key_id, reference_id from live order by key_id, at desc, reference_id)
        select reference_id as id, count(*)::integer as results, coalesce((
          select sum(object.stored_bytes) from owner join archive_objects as object on object.key_id = owner.key_id
          where owner.reference_id = live.reference_id and object.removed_at is null), 0)::double precision as bytes
        from live group by reference_id order by bytes desc, id desc`.execute(store.db)
      computed.push({ bytes: sums[0]!.bytes, references })
    }
    return computed
  }

  test('is always what all objects and results add up to', async () => {
    for (let step = 0; step < stepCounts[kind]; step += 1) {
      await clock.advance(minuteMs)
      await steps[below(steps.length)]!()
      expect(await read(), `step ${step}`).toEqual(await compute())
    }
    expect((await compute()).every(({ bytes, references }) => bytes > 0 && references.length > 1)).toBe(true)
  })

  test('is counted by the migration for results that exist', async () => {
    const rowsOf = async () => {
      const rows = []
      for (const table of tables) rows.push((await sql`select * from ${sql.table(table)} order by 1`.execute(store.db)).rows)
      return rows
    }
    const counted = await rowsOf()
    for (const table of tables) await sql`delete from ${sql.table(table)}`.execute(store.db)
    const migration = (await readMigrations()).find(({ name }) => name === '0292-space-of-kept-results.sql')!
    const inserts = migration.statements.filter((statement) => /^insert into/m.test(statement))
    expect(inserts).toHaveLength(tables.length)
    for (const statement of inserts) await sql.raw(statement).execute(store.db)
    expect(await read()).toEqual(await compute())
    // A reference that lost all results and an organization without any may have a row that says 0.
    const [chains] = await rowsOf()
    expect(chains).toEqual(counted[0])
  })

  test('is corrected by a sweep where it was not counted, and when a reference is gone', async () => {
    // As a process of the version before does it.
    await sql`
      update archived_results set removed_at = ${clock.now()}
      where organization_id = 'org_1' and reference_id = (
        select reference_id from reference_space where organization_id = 'org_1' order by stored_bytes desc limit 1)`.execute(store.db)
    await sql`
      insert into archive_objects (id, organization_id, content_hash, key_id, chain_length, chain_bytes, place, document_bytes, stored_bytes,
        written_at, created_at)
      values ('arc_uncounted', 'org_2', 'uncounted', 'arc_uncounted', 0, 0, 'files', 1, 77, ${clock.now()}, ${clock.now()})`.execute(store.db)
    await sql`
      insert into archived_results (reference_id, run_id, organization_id, query_id, parameter_values, parameter_types, at, row_count, size_bytes,
        result_hash, object_id)
      values ('org_2_ref_1', 'run_uncounted', 'org_2', md5('org_20')::uuid, '{}', '{}', ${clock.now()}, 1, 1, 'hash', 'arc_uncounted')`.execute(store.db)
    await sql`delete from query_references where id = 'org_2_ref_3'`.execute(store.db)
    expect(await read()).not.toEqual(await compute())
    await sweep()
    await sweep()
    expect(await read()).toEqual(await compute())
  })

  test('forgets chains and references when nothing of them is left', async () => {
    await sql`delete from archived_results`.execute(store.db)
    clock.leap(2 * dayMs)
    await sweep()
    clock.leap(minuteMs)
    await sweep()
    await forget()
    for (const table of ['archive_objects', 'archive_chains', 'reference_space']) {
      expect((await sql`select from ${sql.table(table)}`.execute(store.db)).rows, table).toEqual([])
    }
    expect(await read()).toEqual(organizations.map(() => ({ bytes: 0, references: [] })))
  })
})
