import type { ControlledTransaction, KyselyPlugin } from 'kysely'
import type { Caller } from '../../src/model/caller.ts'
import { newId } from '../../src/domain/ids.ts'
import { makeCursorCodec } from '../../src/domain/pagination/cursor.ts'
import type { PageDeps } from '../../src/domain/pagination/page.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Random } from '../../src/ports/random.ts'
import type { Db, Store } from '../../src/store/db.ts'
import type { Schema } from '../../src/store/schema.ts'
import { emptyState, overlaid, type State } from './list-model.ts'
import { seededRandom } from '../seeded-random.ts'

/**
 * A database and a model of it, side by side. Rows touched by an open transaction are reserved for it until it ends, so that no
 * statement ever waits for a lock.
 */
export interface World {
  store: Store
  caller: Caller
  configId: string
  clock: Clock & { move(byMs: number): void }
  random: Random
  pages: PageDeps
  /** For reading pages. Runs `concurrently` once, right after its first statement. */
  reader: Db
  concurrently: (() => Promise<unknown>) | undefined
  committed: State
  open: OpenTransaction[]
  /** Every committed replacement of a row's version: its recorded time and its commit. */
  replacements: { atMs: number; commit: number }[]
  /** Counts commits. */
  commits: number
  /** Makes the texts of changes unique. */
  changes: number
}

export interface Workspace {
  rows: State
  touched: Set<string>
  replacedAtMs: number[]
}

export interface OpenTransaction {
  tx: ControlledTransaction<Schema>
  workspace: Workspace
}

export const newWorkspace = (): Workspace => ({ rows: emptyState(), touched: new Set(), replacedAtMs: [] })

/** The setting of a history: an organization with a database. Another organization's rows must never show up. */
export interface Stage {
  store: Store
  caller: Caller
  configId: string
}

const stageTime = new Date('2026-01-05T09:00:00.000Z')

export async function makeStage(store: Store, name: string): Promise<Stage> {
  const random = seededRandom(`stage ${name}`)
  const ids = { organizationId: newId(random, 'org'), userId: newId(random, 'user'), configId: newId(random, 'db') }
  const { db } = store
  await db.insertInto('organizations').values({ id: ids.organizationId, name, created_at: stageTime }).execute()
  await db
    .insertInto('users')
    .values({ id: ids.userId, email: `${name}@lists.test`, name, password_hash: '', created_at: stageTime })
    .execute()
  await db
    .insertInto('analytical_database_configs')
    .values({
      id: ids.configId,
      organization_id: ids.organizationId,
      name,
      engine: 'duckdb',
      settings: JSON.stringify({ file: 'none.duckdb' }),
      created_by: ids.userId,
      created_at: stageTime,
    })
    .execute()
  const caller: Caller = { organizationId: ids.organizationId, userId: ids.userId, role: 'admin', triggerId: ids.userId }
  return { store, caller, configId: ids.configId }
}

export function makeWorld(stage: Stage): World {
  let nowMs = stageTime.getTime()
  const clock: World['clock'] = {
    now: () => new Date(nowMs),
    monotonicMs: () => 0,
    machineMs: () => 0,
    sleep: () => Promise.resolve(),
    move(byMs) {
      nowMs += byMs
    },
  }
  const interrupter: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const act = world.concurrently
      world.concurrently = undefined
      await act?.()
      return result
    },
  }
  const world: World = {
    ...stage,
    clock,
    random: seededRandom(`history of ${stage.caller.organizationId}`),
    pages: {
      clock,
      cursors: makeCursorCodec({ secretKey: Buffer.alloc(32, 3) }),
      systemIdentifier: stage.store.systemIdentifier,
    },
    reader: stage.store.db.withPlugin(interrupter),
    concurrently: undefined,
    committed: emptyState(),
    open: [],
    replacements: [],
    commits: 0,
    changes: 0,
  }
  return world
}

export async function begin(world: World): Promise<void> {
  const tx = await world.store.db.startTransaction().execute()
  world.open.push({ tx, workspace: newWorkspace() })
}

export async function end(world: World, transaction: OpenTransaction, commits: boolean): Promise<void> {
  world.open = world.open.filter((other) => other !== transaction)
  if (commits) {
    await transaction.tx.commit().execute()
    applyCommit(world, transaction.workspace)
  } else {
    await transaction.tx.rollback().execute()
  }
}

/** Adds the workspace's rows to the committed state. */
export function applyCommit(world: World, workspace: Workspace): void {
  world.commits += 1
  world.committed = overlaid(world.committed, workspace.rows)
  for (const atMs of workspace.replacedAtMs) world.replacements.push({ atMs, commit: world.commits })
}

/** Rolls back open transactions and removes every row, so that the next history starts empty. */
export async function clear(world: World): Promise<void> {
  for (const transaction of world.open) await transaction.tx.rollback().execute()
  const { db } = world.store
  const { organizationId } = world.caller
  await db.deleteFrom('runs').where('organization_id', '=', organizationId).execute()
  await db
    .deleteFrom('query_reference_history')
    .where('reference_id', 'in', (from) =>
      from.selectFrom('query_references').select('id').where('organization_id', '=', organizationId),
    )
    .execute()
  await db.deleteFrom('query_references').where('organization_id', '=', organizationId).execute()
  await db.deleteFrom('queries').where('organization_id', '=', organizationId).execute()
}
