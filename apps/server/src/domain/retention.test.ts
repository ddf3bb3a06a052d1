import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertBoardImage } from '../store/boards/board-images-table.ts'
import { insertBoard, updateBoard } from '../store/boards/boards-table.ts'
import { insertQuery, makeFindQuery } from '../store/queries/queries-table.ts'
import { expireUnsavedQueries } from '../store/queries/expire-queries.ts'
import { insertReference, markReferenceDeleted, updateReference } from '../store/references/references-table.ts'
import { pruneReferenceHistory } from '../store/references/prune-history.ts'
import type { RunStatus } from '../model/run.ts'
import { makeStage, type Stage } from '../../testing/lists/list-world.ts'
import { type ManualClock, manualClock } from '../../testing/manual-clock.ts'
import { seededRandom } from '../../testing/seeded-random.ts'
import { openTestStore, storeKinds, type TestStore } from '../../testing/store/test-store.ts'
import { newId, newShortId, newUuid } from './ids.ts'
import { makeCursorCodec } from './pagination/cursor.ts'
import { listQueries, type QueriesDeps } from './queries/queries.ts'
import { createReference, type ReferencesDeps } from './references/references.ts'
import { retentionDaysDefault, retentionOf, retentionSweeps } from './retention.ts'
import type { SweptKind } from './sweep-step.ts'

const dayMs = 24 * 3600_000
const random = seededRandom('retention')

describe.each(storeKinds)('retention on %s', (kind) => {
  let store: TestStore
  let stage: Stage
  let clock: ManualClock

  beforeAll(async () => {
    store = await openTestStore(kind)
    stage = await makeStage(store, 'shop')
  })
  afterAll(() => store.close())
  beforeEach(async () => {
    clock = manualClock('2026-06-01T09:00:00.000Z')
    const tables = ['sweep_walks', 'alert_changes', 'alert_messages', 'runs', 'automation_observations', 'chat_messages', 'agent_runs', 'chats', 'query_reference_history']
    for (const table of [...tables, 'automation_references', 'automations', 'query_references', 'queries']) {
      await sql`delete from ${sql.table(table)}`.execute(store.db)
    }
  })

  const ago = (days: number) => new Date(clock.now().getTime() - days * dayMs)

  /** Removes everything that is due, batch by batch; returns how many rows each kind lost. */
  async function sweep(resultLifetimeMs = dayMs, days = retentionDaysDefault): Promise<Partial<Record<SweptKind, number>>> {
    const swept: Partial<Record<SweptKind, number>> = {}
    const retention = retentionOf(days)
    for (const each of retentionSweeps({ db: store.db, clock, retention, resultLifetimeMs })) {
      for (let hasMore = true; hasMore; ) {
        const batch = await each.removeBatch()
        ;({ hasMore } = batch)
        if (batch.rows > 0) swept[each.kind] = (swept[each.kind] ?? 0) + batch.rows
      }
    }
    return swept
  }

  async function addQuery(daysAgo: number): Promise<string> {
    const { organizationId, userId: createdBy } = stage.caller
    const fields = { id: newUuid({ random, clock }), sql: 'select 1', analyticalDatabaseConfigId: stage.configId, createdBy }
    return (await insertQuery(store.db, { ...fields, organizationId, now: ago(daysAgo) })).id
  }

  /** Adds runs 1 to `count` of a query, the newest `daysAgo` and each older one another `stepDays` earlier. */
  async function addRuns(
    queryId: string,
    options: { count?: number; daysAgo: number; stepDays?: number; status?: RunStatus; triggerId?: string },
  ): Promise<void> {
    const { count = 1, stepDays = 0, status = 'completed', triggerId = stage.caller.userId } = options
    const isEnded = status === 'completed' || status === 'failed'
    await sql`
      insert into runs (id, organization_id, query_id, number, status, trigger_id, parameter_values, parameter_types, rendered_sql,
        run_at, started_at, completed_at, failure_reason, lease_owner)
      select 'run_' || replace(${queryId}::text, '-', '') || number, ${stage.caller.organizationId}, ${queryId}::uuid,
        number, ${status}, ${triggerId}, '{}', '{}', '', at, at, case when ${isEnded} then at end,
        ${status === 'failed' ? 'it failed' : null}::text, 'worker'
      from (
        select number, ${ago(options.daysAgo)}::timestamptz - (${count}::integer - number) * ${stepDays}::integer * interval '1 day' as at
        from generate_series(
          1 + (select count(*)::integer from runs where query_id = ${queryId}::uuid),
          ${count}::integer + (select count(*)::integer from runs where query_id = ${queryId}::uuid)) as number) as run`.execute(store.db)
  }

  async function addReference(queryId: string): Promise<{ id: string; shortId: string }> {
    const reference = { id: newId(random, 'ref'), shortId: newShortId(random) }
    const { organizationId, userId: createdBy } = stage.caller
    const content = { title: 'Saved', description: null, isOptimistic: false, visualization: null, parameters: [] }
    await insertReference(store.db, { ...reference, ...content, queryId, organizationId, createdBy, now: ago(60) })
    return reference
  }

  async function addAutomation(deletedAt: Date | null = null): Promise<string> {
    const id = newId(random, 'automation')
    const { organizationId, userId } = stage.caller
    await sql`
      insert into automations (id, organization_id, name, instructions, agent, enabled, created_by, created_at, updated_at, deleted_at)
      values (${id}, ${organizationId}, 'Daily', 'Tell.', 'digest', false, ${userId}, ${ago(900)}, ${ago(900)}, ${deletedAt})`.execute(store.db)
    return id
  }

  /** A chat with one agent run and two messages. */
  async function addChat(daysAgo: number, options: { automationId?: string; status?: RunStatus } = {}) {
    const { automationId = null, status = 'completed' } = options
    const { organizationId, userId } = stage.caller
    const [chatId, agentRunId, at] = [newId(random, 'chat'), newId(random, 'arun'), ago(daysAgo)]
    await sql`
      insert into chats (id, organization_id, short_id, title, message_count, created_at, updated_at)
      values (${chatId}, ${organizationId}, ${newShortId(random)}, 'Chat', 2, ${at}, ${at})`.execute(store.db)
    await sql`
      insert into agent_runs (id, organization_id, automation_id, chat_id, agent, status, trigger, trigger_id, user_id, instructions,
        requested_at, ended_at, summary)
      values (${agentRunId}, ${organizationId}, ${automationId}, ${chatId}, 'digest', ${status},
        ${automationId === null ? 'question' : 'person'}, ${userId}, ${userId}, 'Tell.', ${at},
        ${status === 'completed' ? at : null}, ${status === 'completed' ? 'Told.' : null})`.execute(store.db)
    await sql`
      insert into chat_messages (chat_id, number, agent_run_id, kind, content, revision, created_at)
      select ${chatId}, number, ${agentRunId}, 'text', '{}', number, ${at} from generate_series(1, 2) as number`.execute(store.db)
    return { chatId, agentRunId }
  }

  const idsOf = async (table: 'queries' | 'runs' | 'chats' | 'agent_runs' | 'board_images') =>
    (await store.db.selectFrom(table).select('id').execute()).map(({ id }) => id).toSorted()

  /** The queries that pages and programs can find. */
  async function livingQueries(): Promise<string[]> {
    const findQuery = makeFindQuery(store)
    const { organizationId } = stage.caller
    const found = await Promise.all((await idsOf('queries')).map((queryId) => findQuery({ organizationId, queryId })))
    return found.flatMap((query) => query?.id ?? []).toSorted()
  }

  const deps = () => {
    const { db, systemIdentifier } = store
    const cursors = makeCursorCodec({ secretKey: Buffer.alloc(32, 3) })
    const findQuery = makeFindQuery({ db })
    return { db, clock, random, cursors, systemIdentifier, findQuery } as unknown as QueriesDeps & ReferencesDeps
  }

  test('an unsaved query expires 30 days after its last use', async () => {
    const used = await addQuery(60)
    await addRuns(used, { daysAgo: 29 })
    const waiting = await addQuery(60)
    await addRuns(waiting, { daysAgo: 31, status: 'pending' })
    const saved = await addQuery(60)
    await addReference(saved)
    const savedOnce = await addQuery(60)
    const { shortId } = await addReference(savedOnce)
    await markReferenceDeleted(store.db, { ...stage.caller, shortId, deletedBy: stage.caller.userId, now: ago(50) })
    const stay = [await addQuery(29), used, waiting, saved, savedOnce]
    const ranLongAgo = await addQuery(60)
    await addRuns(ranLongAgo, { daysAgo: 31, count: 3 })
    const go = [await addQuery(31), ranLongAgo]

    expect(await sweep()).toEqual({ queries_expired: 2 })
    expect(await livingQueries()).toEqual(stay.toSorted())
    // Lists of earlier days still need the rows.
    expect(await idsOf('queries')).toEqual([...stay, ...go].toSorted())
    clock.leap(8 * dayMs)
    expect(await sweep()).toMatchObject({ queries_expired: 2 })
    expect(await idsOf('queries')).toEqual([...stay, ...go].toSorted())
    clock.leap(1)
    // Both queries and the three runs of one.
    expect(await sweep()).toEqual({ queries_purged: 5 })
    expect(await idsOf('queries')).toEqual(stay.toSorted())
  })

  test('a query stays while its result is valid, however short its retention', async () => {
    const id = await addQuery(60)
    await addRuns(id, { daysAgo: 31 })
    expect(await sweep(40 * dayMs)).toEqual({})
    clock.leap(dayMs)
    expect(await sweep(dayMs)).toEqual({ queries_expired: 1 })
  })

  test('the query of an earlier version stays as long as the reference', async () => {
    const [former, current] = [await addQuery(60), await addQuery(60)]
    const { id } = await addReference(former)
    const changes = { query: { id: current, isOptimistic: false } }
    await store.db.transaction().execute((tx) => updateReference(tx, { id, changes, changedBy: stage.caller.userId, now: ago(1) }))
    clock.leap(8 * dayMs)
    await pruneReferenceHistory(store.db, { replacedBefore: clock.now() })
    expect(await sweep()).toEqual({})
    await store.db.deleteFrom('query_references').where('id', '=', id).execute()
    clock.leap(dayMs)
    expect(await sweep()).toEqual({ queries_expired: 2 })
  })

  test('the query of an agent run is removed after its chat', async () => {
    const id = await addQuery(401)
    const { agentRunId } = await addChat(399)
    await addRuns(id, { daysAgo: 401, triggerId: agentRunId })
    expect(await sweep()).toEqual({})
    clock.leap(2 * dayMs)
    expect(await sweep()).toEqual({ chats: 1, queries_expired: 1 })
  })

  test('a page sequence that started earlier shows an expired query; a later one does not', async () => {
    const ids = [await addQuery(33), await addQuery(32), await addQuery(31)]
    const list = (cursor?: string) => listQueries(deps(), stage.caller, { limit: 1, ...(cursor && { cursor }) })
    const first = await list()
    expect(await sweep()).toEqual({ queries_expired: 3 })
    expect(await list()).toEqual({ items: [] })
    const second = await list(first.nextCursor)
    const third = await list(second.nextCursor)
    expect([first, second, third].flatMap(({ items }) => items.map(({ id }) => id))).toEqual(ids.toReversed())
    expect(third.nextCursor).toBeUndefined()
  })

  test('an expired query cannot be saved', async () => {
    const id = await addQuery(31)
    await sweep()
    // As if it had been looked up a moment before.
    const findQuery = async () => ({ id }) as never
    const saving = createReference({ ...deps(), findQuery }, stage.caller, { queryId: id })
    await expect(saving).rejects.toMatchObject({ code: 'query_not_found' })
  })

  // The embedded store has a single connection, so nothing can be saved while it sweeps.
  const besideOthers = kind === 'postgres' ? ['skips a query that is just being saved'] : []
  test.each(besideOthers)('%s', async () => {
    const [id, other] = [await addQuery(31), await addQuery(31)]
    const tx = await store.db.startTransaction().execute()
    const { organizationId, userId: createdBy } = stage.caller
    const content = { title: 'Saved', description: null, isOptimistic: false, visualization: null, parameters: [] }
    const reference = { id: newId(random, 'ref'), shortId: newShortId(random), queryId: id, ...content }
    await insertReference(tx, { ...reference, organizationId, createdBy, now: clock.now() })
    expect(await sweep()).toEqual({ queries_expired: 1 })
    await tx.commit().execute()
    expect(await livingQueries()).toEqual([id])
    expect((await idsOf('queries')).includes(other)).toBe(true)
  })

  test('processes that sweep together judge each query once', async () => {
    for (let count = 0; count < 5; count += 1) await addQuery(31)
    const one = () => expireUnsavedQueries(store.db, { unusedBefore: ago(30), now: clock.now() })
    const batches = await Promise.all([one(), one(), one()])
    expect(batches.reduce((sum, { rows }) => sum + rows, 0)).toBe(5)
  })

  test('runs are removed after 90 days, except the newest 50 of a query and its latest completed one', async () => {
    const [busy, quiet, failing] = [await addQuery(500), await addQuery(500), await addQuery(500)]
    for (const id of [busy, quiet, failing]) await addReference(id)
    // One a day: 90 recent ones and 60 old ones.
    await addRuns(busy, { count: 150, daysAgo: 1, stepDays: 1 })
    // All old: only the newest 50 stay.
    await addRuns(quiet, { count: 60, daysAgo: 200, stepDays: 1 })
    await addRuns(failing, { daysAgo: 300 })
    await addRuns(failing, { count: 60, daysAgo: 200, status: 'failed' })
    expect(await sweep()).toEqual({ runs: 60 + 10 + 10 })
    const numbers = async (queryId: string) => {
      const rows = await store.db.selectFrom('runs').select('number').where('query_id', '=', queryId).orderBy('number').execute()
      return rows.map(({ number }) => number)
    }
    expect(await numbers(busy)).toEqual(Array.from({ length: 90 }, (_, index) => 61 + index))
    expect(await numbers(quiet)).toEqual(Array.from({ length: 50 }, (_, index) => 11 + index))
    expect(await numbers(failing)).toEqual([1, ...Array.from({ length: 50 }, (_, index) => 12 + index)])
  })

  test('a run that lists of recent days show as the latest stays', async () => {
    const id = await addQuery(500)
    await addReference(id)
    await addRuns(id, { count: 2, daysAgo: 200 })
    // Run 2 was the latest until yesterday.
    await addRuns(id, { count: 60, daysAgo: 1 })
    expect(await sweep()).toEqual({ runs: 1 })
    clock.leap(8 * dayMs)
    expect(await sweep()).toEqual({ runs: 1 })
  })

  test('a run that an automation has yet to evaluate stays', async () => {
    const id = await addQuery(500)
    await addReference(id)
    await addRuns(id, { count: 60, daysAgo: 200 })
    const automationId = await addAutomation()
    const oldest = `run_${id.replaceAll('-', '')}1`
    await store.db.updateTable('automations').set({ unjudged_run_id: oldest }).where('id', '=', automationId).execute()
    expect(await sweep()).toEqual({ runs: 9 })
    expect((await idsOf('runs')).includes(oldest)).toBe(true)
  })

  test('removes many runs of one query batch by batch', async () => {
    const id = await addQuery(500)
    await addReference(id)
    await addRuns(id, { count: 1150, daysAgo: 200 })
    const retention = retentionOf(retentionDaysDefault)
    const runs = retentionSweeps({ db: store.db, clock, retention, resultLifetimeMs: dayMs }).find((each) => each.kind === 'runs')!
    const batches = [await runs.removeBatch(), await runs.removeBatch(), await runs.removeBatch(), await runs.removeBatch()]
    expect(batches).toEqual([
      { rows: 500, hasMore: true },
      { rows: 500, hasMore: true },
      { rows: 100, hasMore: false },
      // Until tomorrow.
      { rows: 0, hasMore: false },
    ])
  })

  test('chats are removed 400 days after their last message, with their agent runs', async () => {
    const stay = [await addChat(399), await addChat(500, { status: 'pending' })]
    await addChat(401)
    await addChat(401, { automationId: await addAutomation(ago(450)) })
    expect(await sweep()).toEqual({ chats: 2 })
    expect(await idsOf('chats')).toEqual(stay.map(({ chatId }) => chatId).toSorted())
    expect(await idsOf('agent_runs')).toEqual(stay.map(({ agentRunId }) => agentRunId).toSorted())
  })

  test('usage of the model is kept as long as chats, and at least until monthly limits no longer count it', async () => {
    const { organizationId, userId } = stage.caller
    for (const day of ['2025-04-26', '2025-04-27', '2026-03-31', '2026-06-01']) {
      await sql`
        insert into model_usage (organization_id, day, user_id, source_id, model, input_tokens, output_tokens, request_count)
        values (${organizationId}, ${day}::date, ${userId}, 'chat_1', 'large', 1, 1, 1)`.execute(store.db)
    }
    expect(await sweep()).toEqual({ model_usage: 1 })
    expect(await sweep(dayMs, { ...retentionDaysDefault, chatDays: 1 })).toEqual({ model_usage: 1 })
    await clock.advance(dayMs)
    expect(await sweep(dayMs, { ...retentionDaysDefault, chatDays: 1 })).toEqual({ model_usage: 1 })
  })

  test('keeps the newest ten runs of an automation, and the one that its next run compares with', async () => {
    const automationId = await addAutomation()
    const chats = []
    for (let number = 0; number < 13; number += 1) chats.push(await addChat(500 + number, { automationId }))
    const compared = chats.at(-1)!
    const reference = await addReference(await addQuery(500))
    await sql`
      insert into automation_observations (automation_id, reference_id, agent_run_id, content)
      values (${automationId}, ${reference.id}, ${compared.agentRunId}, '{}')`.execute(store.db)
    expect(await sweep()).toEqual({ chats: 2 })
    const stay = [...chats.slice(0, 10), compared]
    expect(await idsOf('chats')).toEqual(stay.map(({ chatId }) => chatId).toSorted())
  })

  test('removes old changes of alerts with their messages, but never the newest 50', async () => {
    const { organizationId } = stage.caller
    const addHistory = async (count: number, daysAgo: number) => {
      const id = await addAutomation()
      await sql`update automations set alert_number = ${count} where id = ${id}`.execute(store.db)
      await sql`
        insert into alert_changes (automation_id, number, organization_id, at, status, finding, announced_by)
        select ${id}, number, ${organizationId}, ${ago(daysAgo)}, 'firing', 'Too few.', number
        from generate_series(1, ${count}::integer) as number`.execute(store.db)
      await sql`
        insert into alert_messages (automation_id, number, organization_id, at, kind, severity, finding)
        select automation_id, number, organization_id, at, 'fired', 'warning', finding
        from alert_changes where automation_id = ${id}`.execute(store.db)
      return id
    }
    const [long, short, recent] = [await addHistory(53, 401), await addHistory(50, 401), await addHistory(53, 399)]
    expect(await sweep()).toEqual({ alert_history: 6 })
    for (const table of ['alert_changes', 'alert_messages'] as const) {
      const left = await store.db
        .selectFrom(table)
        .select(['automation_id as id', sql<number>`min(number)`.as('first'), sql<number>`count(*)::integer`.as('count')])
        .groupBy('automation_id')
        .execute()
      expect(left.toSorted((a, b) => b.count - a.count || b.first - a.first)).toEqual(
        [{ id: recent, first: 1, count: 53 }, { id: long, first: 4, count: 50 }, { id: short, first: 1, count: 50 }],
      )
    }
  })

  test('removes images that no version of a board shows, 30 days after their upload', async () => {
    const { organizationId, userId: createdBy } = stage.caller
    const content = { title: 'Sales', description: null, parameters: [], tabs: [], folderId: null }
    await store.db.transaction().execute(async (tx) => {
      for (const [id, daysAgo] of [['image_unused', 31], ['image_shown', 500], ['image_earlier', 500], ['image_new', 29]] as const) {
        await insertBoardImage(tx, { id, organizationId, contentType: 'image/png', bytes: Buffer.from(id), createdBy, now: ago(daysAgo) })
      }
      const tile = { id: 'tile', kind: 'image' as const, text: '', x: 0, y: 0, width: 4, height: 4 }
      const board = { ...content, id: newId(random, 'board'), organizationId, shortId: newShortId(random), createdBy, now: ago(400) }
      await insertBoard(tx, { ...board, tiles: [{ ...tile, imageId: 'image_earlier' }] })
      const shown = [{ ...tile, imageId: 'image_shown' }, { ...tile, id: 'heading', kind: 'heading' as const }]
      await updateBoard(tx, { boardId: board.id, content: { ...content, tiles: shown }, folderId: null, changedBy: createdBy, now: ago(300) })
    })
    expect(await sweep()).toEqual({ board_images: 1 })
    expect(await idsOf('board_images')).toEqual(['image_earlier', 'image_new', 'image_shown'])
  })
})
