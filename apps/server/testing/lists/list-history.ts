import assert from 'node:assert/strict'
import type { ListName, Page } from '../../src/model/page.ts'
import { readPage } from '../../src/domain/pagination/page.ts'
import type { ListedQuery } from '../../src/model/query.ts'
import type { Reference } from '../../src/model/reference.ts'
import { readQueriesPage } from '../../src/store/queries/read-queries-page.ts'
import { purgeQueries } from '../../src/store/queries/expire-queries.ts'
import { pruneReferenceHistory } from '../../src/store/references/prune-history.ts'
import { readReferencesPage } from '../../src/store/references/read-references-page.ts'
import { removeOldRuns } from '../../src/store/runs/remove-old-runs.ts'
import type { Command, Write } from './list-commands.ts'
import { listed } from './list-model.ts'
import { begin, clear, end, makeWorld, type Stage, type World } from './list-world.ts'
import { perform } from './list-writes.ts'

/** A page sequence in the model: every item it will ever show, fixed at its first page. */
interface Sequence {
  list: ListName
  items: (ListedQuery | Reference)[]
  startedAtCommit: number
  /** Every cursor it has returned, with the number of items before it. All of them stay valid. */
  cursors: { text: string; position: number }[]
}

/** Counts what happened in a history, so that a test can check that it covered its subject. */
export interface Tally {
  commands: number
  pages: number
  /** Pages that the current list would have answered differently. */
  pagesFromPast: number
  /** First pages read while a transaction that had written was open. */
  straddled: number
  versionsPruned: number
  /** Such pages read after versions had been pruned. */
  pagesAfterPruning: number
  queriesExpired: number
  queriesPurged: number
  runsRemoved: number
}

export const emptyTally = (): Tally => ({
  commands: 0,
  pages: 0,
  pagesFromPast: 0,
  straddled: 0,
  versionsPruned: 0,
  pagesAfterPruning: 0,
  queriesExpired: 0,
  queriesPurged: 0,
  runsRemoved: 0,
})

const maxOpenTransactions = 3
const farFuture = new Date('2100-01-01T00:00:00.000Z')

/** Plays a history on the database and on the model, and compares every page with the model. */
export async function play(stage: Stage, commands: readonly Command[], tally: Tally): Promise<void> {
  const world = makeWorld(stage)
  const history = makeHistory(world, tally)
  try {
    await populate(world)
    for (const command of commands) {
      tally.commands += 1
      await history.step(command)
    }
    await history.finish()
  } finally {
    await clear(world)
  }
}

/** A history begins with items to page through, most of them created at the same moment. */
async function populate(world: World): Promise<void> {
  for (let i = 0; i < 6; i++) {
    await perform(world, { kind: 'add query', by: 0 })
    await perform(world, { kind: 'add reference', by: 0, pick: i, isOptimistic: i === 2 })
    if (i % 2 === 0) await perform(world, { kind: 'add run', by: 0, pick: i })
    if (i === 3) world.clock.move(1000)
  }
}

function makeHistory(world: World, tally: Tally) {
  const isEmbedded = !('url' in world.store)
  let sequences: Sequence[] = []
  let hasPruned = false

  async function step(command: Command): Promise<void> {
    // The embedded store has a single connection, so a read waits until the transaction has ended.
    if (isEmbedded && (command.kind === 'start' || command.kind === 'next' || command.kind === 'prune')) await endAll()
    switch (command.kind) {
      case 'begin':
        if (world.open.length < (isEmbedded ? 1 : maxOpenTransactions)) await begin(world)
        return
      case 'end': {
        const transaction = world.open[command.pick % world.open.length]
        if (transaction) await end(world, transaction, command.commits)
        return
      }
      case 'clock':
        return world.clock.move(command.byMs)
      case 'prune':
        return prune(command.pick, command.batchSize)
      case 'start':
        return start(command)
      case 'next': {
        const sequence = sequences[command.pick % sequences.length]
        if (sequence) await follow(sequence, command)
        return
      }
      default:
        return perform(world, command)
    }
  }

  async function endAll(): Promise<void> {
    for (const transaction of world.open) await end(world, transaction, true)
  }

  async function read(list: ListName, request: { limit: number; cursor?: string; concurrently: Write | null }) {
    const { concurrently, ...rest } = request
    if (concurrently) world.concurrently = () => perform(world, concurrently)
    const options = { caller: world.caller, request: rest }
    const page: Page<ListedQuery | Reference> = await readPage<ListedQuery | Reference>(world.pages, {
      ...options,
      list,
      read: (page) => (list === 'queries' ? readQueriesPage(world.reader, page) : readReferencesPage(world.reader, page)),
    })
    tally.pages += 1
    return page
  }

  async function start(command: Extract<Command, { kind: 'start' }>): Promise<void> {
    const { list, limit, concurrently } = command
    const items = listed(world.committed, list)
    if (world.open.some(({ workspace }) => workspace.touched.size > 0)) tally.straddled += 1
    const sequence: Sequence = { list, items, startedAtCommit: world.commits, cursors: [] }
    const page = await read(list, { limit, concurrently })
    check({ sequence, page, position: 0, limit })
    if (sequence.cursors.length > 0) sequences.push(sequence)
  }

  async function follow(sequence: Sequence, request: { back: number; limit: number; concurrently: Write | null }) {
    const { cursors, list } = sequence
    const { back, limit, concurrently } = request
    const cursor = back < 5 ? cursors.at(-1)! : cursors[back % cursors.length]!
    const past = sequence.items.slice(cursor.position, cursor.position + limit)
    const present = listed(world.committed, list).slice(cursor.position, cursor.position + limit)
    if (JSON.stringify(past) !== JSON.stringify(present)) {
      tally.pagesFromPast += 1
      if (hasPruned) tally.pagesAfterPruning += 1
    }
    const page = await read(list, { limit, cursor: cursor.text, concurrently })
    check({ sequence, page, position: cursor.position, limit })
  }

  function check(options: {
    sequence: Sequence
    page: Page<ListedQuery | Reference>
    position: number
    limit: number
  }): void {
    const { sequence, page } = options
    const next = options.position + options.limit
    assert.deepEqual(page.items, sequence.items.slice(options.position, next))
    assert.equal(page.nextCursor !== undefined, next < sequence.items.length)
    if (page.nextCursor) sequence.cursors.push({ text: page.nextCursor, position: next })
  }

  /** Prunes as much as one sequence (and younger ones) allows. Older sequences are dropped, because their history is gone. */
  async function prune(pick: number, batchSize: number): Promise<void> {
    const kept = sequences[pick % sequences.length]
    const needed = world.replacements.filter(({ commit }) => commit > (kept?.startedAtCommit ?? world.commits))
    const beforeMs = Math.min(world.clock.now().getTime() + 1, ...needed.map(({ atMs }) => atMs))
    const isStillComplete = ({ startedAtCommit }: Sequence) =>
      !world.replacements.some(({ atMs, commit }) => commit > startedAtCommit && atMs < beforeMs)
    sequences = sequences.filter(isStillComplete)
    assert.equal(kept === undefined || sequences.includes(kept), true)
    for (;;) {
      const count = await pruneReferenceHistory(world.store.db, { replacedBefore: new Date(beforeMs), batchSize })
      if (count === 0) break
      hasPruned = true
      tally.versionsPruned += count
    }
    const before = new Date(beforeMs)
    const { db } = world.store
    for (let hasMore = true; hasMore; ) {
      const batch = await purgeQueries(db, { expiredBefore: before })
      ;({ hasMore } = batch)
      tally.queriesPurged += batch.rows
    }
    await db.deleteFrom('sweep_walks').execute()
    const runs = { endedBefore: farFuture, replacedBefore: before, keptCount: 1, now: world.clock.now() }
    for (let hasMore = true; hasMore; ) {
      const batch = await removeOldRuns(db, runs)
      ;({ hasMore } = batch)
      tally.runsRemoved += batch.rows
    }
  }

  async function finish(): Promise<void> {
    await endAll()
    tally.queriesExpired += [...world.committed.queries.values()].filter(({ expiredAt }) => expiredAt !== null).length
    const list = sequences.length % 2 === 0 ? 'queries' : 'references'
    await start({ kind: 'start', list, limit: 2, concurrently: null })
    for (const sequence of sequences) {
      let position = -1
      while (position < sequence.cursors.at(-1)!.position) {
        position = sequence.cursors.at(-1)!.position
        await follow(sequence, { back: 0, limit: 3, concurrently: null })
      }
    }
  }

  return { step, finish }
}
