import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fillTable } from '../../testing/store/fill-table.ts'
import { openStatementCosts, type StatementCosts } from '../../testing/store/statement-cost.ts'
import { openTestStore, type TestStore } from '../../testing/store/test-store.ts'
import { claimAgentRuns } from './agent-runs/claim-agent-runs.ts'
import type { Db } from './db.ts'
import { dueInTurn, queueNames } from './due-in-turn.ts'
import { claimRun } from './runs/claim-run.ts'
import { claimDeliveries } from './webhooks/claim-deliveries.ts'

/** One organization floods every queue. Another one adds a single item afterwards. */
const floodCount = 2_000
const flooding = 'org_1'
const quiet = 'org_2'
/** More than a claim reads of two organizations, far less than the flood. */
const rowsMax = 60

let store: TestStore
let costs: StatementCosts
beforeAll(async () => {
  store = await openTestStore('postgres', { isNew: true })
  costs = openStatementCosts(store.url!)
  await sql`
    do $$ declare each record; begin
      for each in
        select conrelid::regclass as name, conname from pg_constraint
        where contype = 'c' and coninhcount = 0 and connamespace = 'public'::regnamespace
      loop
        execute format('alter table %s drop constraint %I', each.name, each.conname);
      end loop;
    end $$`.execute(store.db)
})
afterAll(async () => {
  await costs.close()
  await store.close()
})

const lit = (value: string) => sql`${sql.lit(value)}`
const minutesAgo = (minutes: number) => sql`now() - make_interval(mins => ${sql.lit(minutes)})`

/** Rows of both organizations. `columnsOf` gets the prefix of the organization's ids, and when its items became due. */
async function flood(
  table: string,
  columnsOf: (own: { id: RawBuilder<unknown>; organization: string; dueAt: RawBuilder<unknown> }) => Record<string, RawBuilder<unknown>>,
): Promise<void> {
  for (const [organization, count, minutes] of [[flooding, floodCount, 60], [quiet, 1, 1]] as const) {
    const own = { organization, id: sql`${sql.lit(`${organization}_`)} || number`, dueAt: minutesAgo(minutes) }
    await fill(table, count, { organization_id: lit(organization), ...columnsOf(own) })
  }
  await sql`analyze ${sql.table(table)}`.execute(store.db)
}

const fill = (table: string, count: number, columns: Record<string, RawBuilder<unknown>>) =>
  store.db.connection().execute(async (db) => {
    await sql`set session_replication_role = replica`.execute(db)
    await fillTable(db, { table, count, columns })
    await sql`set session_replication_role = origin`.execute(db)
  })

describe('the single item of a quiet organization is claimed at once, beside thousands of another', () => {
  test.each(queueNames)('%s', async (queue) => {
    const stateOf: Record<string, string | undefined> = { notifications: 'email_state', change_feeds: undefined }
    const state = queue in stateOf ? stateOf[queue] : 'state'
    const id = { archive_jobs: 'run_id', change_feeds: 'reference_id' }[queue as string] ?? 'id'
    const dueAtColumn = queue === 'notifications' ? 'email_next_attempt_at' : 'next_attempt_at'
    await flood(queue, (own) => ({ [id]: own.id, [dueAtColumn]: own.dueAt, ...(state && { [state]: lit('due') }) }))
    const { answer, cost } = await costs.measure(
      async (db) => (await sql<{ id: string }>`with recursive ${dueInTurn(queue, { count: 5 })} select id from due`.execute(db)).rows,
    )
    expect(answer).toHaveLength(5)
    expect(answer).toContainEqual({ id: `${quiet}_1` })
    expect(cost.rowsInOneStep).toBeLessThan(rowsMax)
  })

  test('agent runs, also if the worker is busy with those of the other', async () => {
    await flood('agent_runs', (own) => ({ id: own.id, status: lit('pending'), requested_at: own.dueAt }))
    const claim = (db: Db, rooms: [string, number][]) =>
      claimAgentRuns(db, { workerId: 'w', leaseMs: 30_000, count: 2, rooms: new Map(rooms), roomOfOthers: 8 })
    const { answer, cost } = await costs.measure((db) => claim(db, [[flooding, 3]]))
    expect(answer.map(({ organizationId }) => organizationId).toSorted()).toEqual([flooding, quiet])
    expect(cost.rowsInOneStep).toBeLessThan(rowsMax)
    expect(await claim(store.db, [[flooding, 0]])).toEqual([])
    expect((await claim(store.db, [])).map(({ organizationId }) => organizationId)).toEqual([flooding, flooding])
  })

  test('runs of queries', async () => {
    await flood('analytical_database_configs', (own) => ({ id: own.id, engine: lit('duckdb') }))
    const queryOf = (organization: string) => sql`md5(${sql.lit(organization)} || number)::uuid`
    const configOf = (organization: string) => lit(`${organization}_1`)
    await flood('queries', ({ organization }) => ({ id: queryOf(organization), analytical_database_config_id: configOf(organization) }))
    await flood('runs', ({ id, organization, dueAt }) => ({
      id,
      query_id: queryOf(organization),
      analytical_database_config_id: configOf(organization),
      status: lit('pending'),
      run_at: dueAt,
    }))
    const runCountsByOrganization = new Map([[flooding, 1]])
    const { answer, cost } = await costs.measure((db) =>
      claimRun(db, { workerId: 'w', leaseMs: 30_000, fullDatabaseConfigIds: [], runCountsByOrganization }),
    )
    expect(answer.run?.organizationId).toBe(quiet)
    expect(cost.rowsInOneStep).toBeLessThan(rowsMax)
  })

  test('webhook deliveries', async () => {
    const organizations = { id: sql`'org_' || number`, webhooks_enabled: sql`true` }
    await fill('organizations', 2, organizations)
    await fill('webhook_endpoints', 2, { id: sql`'we_' || number`, organization_id: sql`'org_' || number`, state: lit('enabled') })
    await fill('webhook_events', 1, { id: lit('evt_1'), body: lit('{}') })
    for (const [endpoint, count, minutes] of [['we_1', floodCount, 60], ['we_2', 1, 1]] as const) {
      await fill('webhook_deliveries', count, {
        id: sql`${sql.lit(endpoint)} || number`,
        endpoint_id: lit(endpoint),
        event_id: lit('evt_1'),
        state: lit('pending'),
        next_attempt_at: minutesAgo(minutes),
      })
    }
    await sql`analyze webhook_deliveries`.execute(store.db)
    const claiming = { workerId: 'w', leaseMs: 30_000, count: 100, afterLane: '', rooms: new Map<string, number>(), unfinished: [], goneWorkers: [] }
    const { answer, cost } = await costs.measure((db) => claimDeliveries(db, { ...claiming, roomOfOthers: 32, dueFrom: new Date(0) }))
    expect(answer.deliveries).toHaveLength(33)
    expect(answer.deliveries.map(({ endpointId }) => endpointId)).toContain('we_2')
    expect(cost.rowsInOneStep).toBeLessThan(3 * rowsMax)
  })
})
