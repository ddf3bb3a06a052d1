import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { newId, newShortId, newUuid } from '../../src/domain/ids.ts'
import { insertQuery } from '../../src/store/queries/queries-table.ts'
import { expireUnsavedQueries } from '../../src/store/queries/expire-queries.ts'
import {
  insertReference,
  markReferenceDeleted,
  type ReferenceChanges,
  unmarkReferenceDeleted,
  updateReference,
} from '../../src/store/references/references-table.ts'
import { claimRun } from '../../src/store/runs/claim-run.ts'
import { endRun, failAbandonedRuns, failPendingRun } from '../../src/store/runs/end-run.ts'
import { expireRunLeases, renewRunLeases } from '../../src/store/runs/run-leases.ts'
import { insertRun } from '../../src/store/runs/runs-table.ts'
import type { Tx } from '../../src/store/db.ts'
import type { Write } from './list-commands.ts'
import { latestRunOf, type ModelReference, type ModelRun, overlaid, type State } from './list-model.ts'
import { end, newWorkspace, applyCommit, type Workspace, type World } from './list-world.ts'

const workerId = 'worker_histories'
const leaseMs = 60_000
const farFuture = new Date('2100-01-01T00:00:00.000Z')

/** Performs one write on the database and on the model. A write without a target does nothing. */
export async function perform(world: World, write: Write): Promise<void> {
  if (write.kind === 'commit') {
    const transaction = world.open[write.pick % world.open.length]
    if (transaction) await end(world, transaction, true)
  } else if (write.kind === 'fail abandoned runs' || write.kind === 'renew leases') {
    // These affect every running run, so they would wait for transactions that have locked one.
    if (world.open.length === 0) await performOnAllRuns(world, write.kind)
  } else if (write.kind === 'expire unsaved queries') {
    // Allowed during open transactions, whose rows are skipped. The embedded store has only one connection.
    if (world.open.length === 0 || 'url' in world.store) await expireUnsaved(world)
  } else {
    const isEmbedded = !('url' in world.store)
    const choices = isEmbedded && world.open.length > 0 ? world.open : [undefined, ...world.open]
    const transaction = choices[write.by % choices.length]
    if (transaction) return act({ world, tx: transaction.tx, workspace: transaction.workspace, write })
    const workspace = newWorkspace()
    await world.store.db.transaction().execute((tx) => act({ world, tx, workspace, write }))
    applyCommit(world, workspace)
  }
}

/** The context of a write. */
interface Place {
  world: World
  tx: Tx
  workspace: Workspace
}

interface Act<Kind extends Write['kind']> extends Place {
  write: Extract<Write, { kind: Kind }>
}

function act(options: Act<Write['kind']>): Promise<void> {
  const { write } = options
  switch (write.kind) {
    case 'add query':
      return addQuery(options, newUuid(options.world))
    case 'add reference':
      return addReference({ ...options, write })
    case 'change reference':
      return changeReference({ ...options, write })
    case 'delete reference':
      return deleteReference({ ...options, write })
    case 'restore reference':
      return restoreReference({ ...options, write })
    case 'add run':
      return addRun({ ...options, write })
    case 'claim run':
      return claim(options)
    case 'end run':
      return endOne({ ...options, write })
    case 'fail pending run':
      return failPending({ ...options, write })
    default:
      throw new Error(`not a write of one transaction: ${write.kind}`)
  }
}

const seen = ({ world, workspace }: Place): State => overlaid(world.committed, workspace.rows)

function isFree({ world, workspace }: Place, row: string): boolean {
  return !world.open.some((other) => other.workspace !== workspace && other.workspace.touched.has(row))
}

const activeQueries = (place: Place): string[] =>
  [...seen(place).queries.values()].filter(({ expiredAt }) => expiredAt === null).map(({ id }) => id)

const runsOf = (queryId: string) => `runs of ${queryId}`

async function addQuery({ world, tx, workspace }: Place, id: string): Promise<void> {
  const { organizationId, userId: createdBy } = world.caller
  const now = world.clock.now()
  const text = `select ${(world.changes += 1)}`
  const fields = { id, sql: text, analyticalDatabaseConfigId: world.configId, createdBy }
  await insertQuery(tx, { ...fields, organizationId, now })
  workspace.rows.queries.set(id, { ...fields, createdAt: now, updatedAt: now, expiredAt: null })
}

async function addReference(options: Act<'add reference'>): Promise<void> {
  const { world, tx, workspace, write } = options
  const queries = activeQueries(options)
  const queryId = write.isOptimistic ? newUuid(world) : queries[write.pick % queries.length]
  if (!queryId) return
  const now = world.clock.now()
  const fields = {
    id: newId(world.random, 'ref'),
    shortId: newShortId(world.random),
    title: `title ${(world.changes += 1)}`,
    description: null,
    isOptimistic: write.isOptimistic,
    queryId,
    createdBy: world.caller.userId,
  }
  const { organizationId } = world.caller
  await insertReference(tx, { ...fields, organizationId, visualization: null, parameters: [], now })
  workspace.rows.references.set(fields.id, { ...fields, createdAt: now, updatedAt: now, deletedAt: null })
}

function pickReference(options: Place, pick: number): ModelReference | undefined {
  const candidates = [...seen(options).references.values()].filter(
    (reference) => reference.deletedAt === null && isFree(options, reference.id),
  )
  return candidates[pick % candidates.length]
}

function replace({ world, workspace }: Place, reference: ModelReference): void {
  workspace.rows.references.set(reference.id, reference)
  if (world.committed.references.has(reference.id)) {
    workspace.replacedAtMs.push((reference.deletedAt ?? reference.updatedAt).getTime())
  }
}

async function changeReference(options: Act<'change reference'>): Promise<void> {
  const { world, tx, workspace, write } = options
  const reference = pickReference(options, write.pick)
  if (!reference) return
  workspace.touched.add(reference.id)
  if (write.savepoint !== 'none') await sql`savepoint change`.execute(tx)
  const queriesBefore = new Map(workspace.rows.queries)
  const changes = await chooseChanges(options, reference)
  const now = world.clock.now()
  await updateReference(tx, { id: reference.id, changes, changedBy: world.caller.userId, now })
  if (write.savepoint === 'released') await sql`release savepoint change`.execute(tx)
  if (write.savepoint === 'undone') {
    await sql`rollback to savepoint change`.execute(tx)
    workspace.rows.queries = queriesBefore
    return
  }
  const { query, title, description } = changes
  replace(options, {
    ...reference,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(query && { queryId: query.id, isOptimistic: query.isOptimistic }),
    updatedAt: new Date(Math.max(reference.updatedAt.getTime(), now.getTime())),
  })
}

async function chooseChanges(
  options: Act<'change reference'>,
  reference: ModelReference,
): Promise<Pick<ReferenceChanges, 'title' | 'description' | 'query'>> {
  const { world, write } = options
  const text = `changed ${(world.changes += 1)}`
  if (write.change === 'title') return { title: text }
  if (write.change === 'description') return { description: text }
  if (write.change === 'no description') return { description: null, title: text }
  if (reference.isOptimistic) {
    await addQuery(options, reference.queryId)
    return { query: { id: reference.queryId, isOptimistic: false } }
  }
  const queries = activeQueries(options)
  if (queries.length === 0) return { title: text }
  return { query: { id: queries[write.pick % queries.length]!, isOptimistic: false } }
}

async function deleteReference(options: Act<'delete reference'>): Promise<void> {
  const { world, tx, workspace, write } = options
  const reference = pickReference(options, write.pick)
  if (!reference) return
  workspace.touched.add(reference.id)
  const { organizationId } = world.caller
  const now = world.clock.now()
  const deleted = await markReferenceDeleted(tx, { organizationId, shortId: reference.shortId, deletedBy: world.caller.userId, now })
  assert.equal(deleted?.id, reference.id)
  replace(options, { ...reference, deletedAt: now })
}

async function restoreReference(options: Act<'restore reference'>): Promise<void> {
  const { tx, workspace, write } = options
  const deleted = [...seen(options).references.values()].filter(
    (reference) => reference.deletedAt !== null && isFree(options, reference.id),
  )
  const reference = deleted[write.pick % deleted.length]
  if (!reference) return
  workspace.touched.add(reference.id)
  await unmarkReferenceDeleted(tx, reference.id)
  // Nothing is replaced, because no version of it was visible.
  workspace.rows.references.set(reference.id, { ...reference, deletedAt: null })
}

async function addRun(options: Act<'add run'>): Promise<void> {
  const { world, tx, workspace, write } = options
  const state = seen(options)
  const queries = activeQueries(options).filter((id) => isFree(options, runsOf(id)))
  const queryId = queries[write.pick % queries.length]
  if (!queryId) return
  const latest = latestRunOf(state, queryId)
  const runAt = world.clock.now()
  const id = newId(world.random, 'run')
  const { organizationId, triggerId } = world.caller
  const run = await insertRun(tx, {
    id,
    organizationId,
    queryId,
    triggerId,
    parameterValues: {},
    parameterTypes: {},
    renderedSql: '',
    runAt,
  })
  const isUnfinished = latest?.status === 'pending' || latest?.status === 'running'
  assert.equal(run?.number, isUnfinished ? undefined : (latest?.number ?? 0) + 1)
  if (!run) return
  workspace.touched.add(runsOf(queryId))
  workspace.rows.runs.set(id, { id, queryId, number: run.number, status: 'pending', runAt })
  // The previous run is no longer the latest.
  if (latest) workspace.replacedAtMs.push(runAt.getTime())
}

function runsWithStatus(options: Place, status: ModelRun['status']): ModelRun[] {
  return [...seen(options).runs.values()].filter((run) => run.status === status && isFree(options, runsOf(run.queryId)))
}

function setStatus({ workspace }: Place, run: ModelRun, status: ModelRun['status']): void {
  workspace.touched.add(runsOf(run.queryId))
  workspace.rows.runs.set(run.id, { ...run, status })
}

async function claim(options: Place): Promise<void> {
  const { tx } = options
  const pending = runsWithStatus(options, 'pending')
  const { run: claimed } = await claimRun(tx, { workerId, leaseMs, fullDatabaseConfigIds: [] })
  const run = pending.find(({ id }) => id === claimed?.id)
  assert.equal(run !== undefined, pending.length > 0)
  if (run) setStatus(options, run, 'running')
}

async function endOne(options: Act<'end run'>): Promise<void> {
  const { tx, write } = options
  const running = runsWithStatus(options, 'running')
  const run = running[write.pick % running.length]
  if (!run) return
  const outcome = write.completes
    ? { status: 'completed' as const, rowCount: 0, statistics: { rowsRead: 0, rowsWritten: 0 }, sizeBytes: 0, hash: '' }
    : { status: 'failed' as const, reason: 'it failed' }
  assert.equal(await endRun(tx, { id: run.id, leaseNumber: 1, workerId }, outcome), true)
  setStatus(options, run, outcome.status)
}

async function failPending(options: Act<'fail pending run'>): Promise<void> {
  const { world, tx, write } = options
  const pending = runsWithStatus(options, 'pending')
  const run = pending[write.pick % pending.length]
  if (!run) return
  assert.ok(await failPendingRun(tx, { runId: run.id, reason: 'stopped', now: world.clock.now() }))
  setStatus(options, run, 'failed')
}

/** The sweep decides which queries expire. Page sequences must still show them as they were. */
async function expireUnsaved(world: World): Promise<void> {
  const { db } = world.store
  const now = world.clock.now()
  await db.deleteFrom('sweep_walks').execute()
  while ((await expireUnsavedQueries(db, { unusedBefore: farFuture, now })).hasMore);
  const { organizationId } = world.caller
  const expired = await db
    .selectFrom('queries')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('expired_at', 'is not', null)
    .execute()
  const workspace = newWorkspace()
  for (const { id } of expired) {
    const query = world.committed.queries.get(id)
    if (!query || query.expiredAt) continue
    const all = [world.committed, ...world.open.map((open) => open.workspace.rows)]
    assert.ok(!all.some(({ references }) => [...references.values()].some(({ queryId }) => queryId === id)), 'it is saved')
    workspace.rows.queries.set(id, { ...query, expiredAt: now })
    workspace.replacedAtMs.push(now.getTime())
  }
  applyCommit(world, workspace)
}

async function performOnAllRuns(world: World, kind: 'fail abandoned runs' | 'renew leases'): Promise<void> {
  const { db } = world.store
  const leases = [...world.committed.runs.values()].map(({ id }) => ({ id, leaseNumber: 1 }))
  if (kind === 'renew leases') return void (await renewRunLeases(db, { workerId, leases, leaseMs }))
  await expireRunLeases(db)
  const workspace = newWorkspace()
  for (const run of world.committed.runs.values()) {
    if (run.status === 'running') workspace.rows.runs.set(run.id, { ...run, status: 'failed' })
  }
  const failed = await failAbandonedRuns(db, { reason: 'its worker died' })
  assert.deepEqual(failed.sort(), [...workspace.rows.runs.keys()].sort())
  applyCommit(world, workspace)
}
