import { AsyncLocalStorage } from 'node:async_hooks'
import { CompiledQuery, type ControlledTransaction, type DatabaseConnection, type Kysely, type QueryResult } from 'kysely'
import { makeSemaphore, type Release } from '../ports/semaphore.ts'
import type { Schema } from './schema.ts'

/**
 * A transaction around everything that a piece of work does in the store, without passing it along. While the work runs, each statement
 * through the same `db` joins the transaction, and a transaction of its own becomes a savepoint in it. So the work and a record of it
 * are committed together, whichever functions did the work.
 *
 * The statements take turns, as on a store with a single connection.
 */
export interface JoinedTransaction {
  /** Calls back with the transaction as the context, for everything that starts in there. */
  enter<Result>(work: () => Result): Result
  commit(): Promise<void>
  /** Has no effect after a commit. */
  rollback(): Promise<void>
}

interface Context {
  tx: ControlledTransaction<Schema>
  turns: ReturnType<typeof makeSemaphore>
  isOpen: boolean
}

const contexts = new AsyncLocalStorage<Context>()

export async function openJoinedTransaction(db: Kysely<Schema>): Promise<JoinedTransaction> {
  const context: Context = { tx: await db.startTransaction().execute(), turns: makeSemaphore({ permits: 1 }), isOpen: true }
  /** Work that is still running in the background must not reach a connection that is used for something else by then. */
  async function end(act: () => Promise<unknown>): Promise<void> {
    if (!context.isOpen) return
    const release = await context.turns.acquire()
    context.isOpen = false
    release()
    await act()
  }
  return {
    enter: (work) => contexts.run(context, work),
    commit: () => end(() => context.tx.commit().execute()),
    rollback: () => end(() => context.tx.rollback().execute()),
  }
}

export const isInJoinedTransaction = (): boolean => contexts.getStore()?.isOpen === true

/** A turn in the transaction of the current work. Undefined outside of one. */
export async function joinTransaction(): Promise<JoinedConnection | undefined> {
  const context = contexts.getStore()
  if (!context?.isOpen) return undefined
  const release = await context.turns.acquire()
  if (context.isOpen) return new JoinedConnection(context.tx, release)
  release()
  return undefined
}

const savepoint = 'joined'

export class JoinedConnection implements DatabaseConnection {
  readonly #tx: ControlledTransaction<Schema>
  readonly release: Release
  #isInSavepoint = false

  constructor(tx: ControlledTransaction<Schema>, release: Release) {
    this.#tx = tx
    this.release = release
  }

  /** A statement that fails on its own has no effect on others, so it gets a savepoint too. */
  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#isInSavepoint) return this.#execute(query)
    await this.begin()
    try {
      const result = await this.#execute<Row>(query)
      await this.commit()
      return result
    } catch (error) {
      await this.rollback()
      throw error
    }
  }
  #execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#tx.executeQuery(query) as Promise<QueryResult<Row>>
  }
  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Rows cannot be streamed in a joined transaction.')
  }
  async begin(): Promise<void> {
    await this.#execute(CompiledQuery.raw(`savepoint ${savepoint}`))
    this.#isInSavepoint = true
  }
  async commit(): Promise<void> {
    this.#isInSavepoint = false
    await this.#execute(CompiledQuery.raw(`release savepoint ${savepoint}`))
  }
  async rollback(): Promise<void> {
    this.#isInSavepoint = false
    await this.#execute(CompiledQuery.raw(`rollback to savepoint ${savepoint}`))
  }
}
