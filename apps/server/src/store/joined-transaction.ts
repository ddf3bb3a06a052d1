import { AsyncLocalStorage } from 'node:async_hooks'
import { CompiledQuery, type ControlledTransaction, type DatabaseConnection, type Kysely, type QueryResult } from 'kysely'
import { makeSemaphore, type Release, type Semaphore } from '../ports/semaphore.ts'
import type { Schema } from './schema.ts'

/**
 * A transaction around everything that a piece of work writes to the store, without passing it along. While the work runs, each statement
 * through the same `db` joins the transaction, and a transaction of its own becomes a savepoint in it. So the work and a record of it
 * are committed together, whichever functions did the work.
 *
 * - It begins with the first statement that may write. Until then the work holds no connection, however long it waits for something else.
 * - The statements in it take turns, as on a store with a single connection.
 */
export interface JoinedTransaction {
  /** Calls back with the transaction as the context, for everything that starts in there. */
  enter<Result>(work: () => Result): Result
  commit(): Promise<void>
  /** Has no effect after a commit. */
  rollback(): Promise<void>
}

export interface JoinedOptions {
  /** The first thing in the transaction. If it throws, nothing can be written any more: every later statement throws the same. */
  onBegin?(tx: Kysely<Schema>): Promise<void>
}

interface Context extends JoinedOptions {
  db: Kysely<Schema>
  turns: Semaphore
  tx?: ControlledTransaction<Schema>
  failure?: { error: unknown }
  isOpen: boolean
}

const contexts = new AsyncLocalStorage<Context>()

export function openJoinedTransaction(db: Kysely<Schema>, options: JoinedOptions = {}): JoinedTransaction {
  const context: Context = { ...options, db, turns: makeSemaphore({ permits: 1 }), isOpen: true }
  /** Work that is still running in the background must not reach a connection that is used for something else by then. */
  async function end(act: (tx: ControlledTransaction<Schema>) => Promise<unknown>): Promise<void> {
    if (!context.isOpen) return
    const endTurn = await context.turns.acquire()
    context.isOpen = false
    endTurn()
    if (context.tx) await act(context.tx)
  }
  return {
    enter: (work) => contexts.run(context, work),
    commit: () => end((tx) => tx.commit().execute()),
    rollback: () => end((tx) => tx.rollback().execute()),
  }
}

/** Does the work in one transaction: the surrounding one, if there is one. */
export async function inOneTransaction<Result>(db: Kysely<Schema>, work: () => Promise<Result>): Promise<Result> {
  if (isInJoinedTransaction()) return work()
  const joined = openJoinedTransaction(db)
  try {
    const result = await joined.enter(work)
    await joined.commit()
    return result
  } catch (error) {
    await joined.rollback()
    throw error
  }
}

export const isInJoinedTransaction = (): boolean => contexts.getStore()?.isOpen === true

/** A connection for the current work. Undefined if it has no joined transaction. */
export function joinTransaction(executeAlone: ExecuteAlone): JoinedConnection | undefined {
  const context = contexts.getStore()
  return context?.isOpen ? new JoinedConnection(context, executeAlone) : undefined
}

/** Executes a statement on a connection of its own. */
type ExecuteAlone = <Row>(query: CompiledQuery) => Promise<QueryResult<Row>>

/** Needs a turn. */
async function beginOnce(context: Context): Promise<ControlledTransaction<Schema>> {
  if (!context.isOpen) throw new Error('The work that this transaction belongs to has ended.')
  if (context.failure) throw context.failure.error
  if (context.tx) return context.tx
  const tx = await contexts.exit(() => context.db.startTransaction().execute())
  try {
    await contexts.exit(() => context.onBegin?.(tx))
  } catch (error) {
    context.failure = { error }
    await tx.rollback().execute()
    throw error
  }
  context.tx = tx
  return tx
}

const savepoint = 'joined'

export class JoinedConnection implements DatabaseConnection {
  readonly #context: Context
  readonly #executeAlone: ExecuteAlone
  #endTurn: Release | undefined
  #tx: ControlledTransaction<Schema> | undefined

  constructor(context: Context, executeAlone: ExecuteAlone) {
    this.#context = context
    this.#executeAlone = executeAlone
  }

  /** A statement that fails on its own has no effect on others, so it gets a savepoint too. */
  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#tx) return this.#execute(query)
    const { isOpen, tx, failure } = this.#context
    if (!isOpen || (!tx && !failure && isReading(query))) return this.#executeAlone(query)
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
    return this.#tx!.executeQuery(query) as Promise<QueryResult<Row>>
  }
  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Rows cannot be streamed in a joined transaction.')
  }
  async begin(): Promise<void> {
    this.#endTurn ??= await this.#context.turns.acquire()
    this.#tx = await beginOnce(this.#context)
    await this.#execute(CompiledQuery.raw(`savepoint ${savepoint}`))
  }
  async commit(): Promise<void> {
    await this.#execute(CompiledQuery.raw(`release savepoint ${savepoint}`))
    this.#tx = undefined
  }
  async rollback(): Promise<void> {
    await this.#execute(CompiledQuery.raw(`rollback to savepoint ${savepoint}`))
    this.#tx = undefined
  }
  release(): void {
    this.#endTurn?.()
  }
}

/** Whether a statement certainly changes and locks nothing. */
function isReading({ query, sql }: CompiledQuery): boolean {
  if (query.kind === 'SelectQueryNode') return !query.endModifiers?.length
  const statement = sql.replaceAll(/\/\*.*?\*\/|--[^\n]*\n/gs, '').trimStart()
  return /^select\b/i.test(statement) && !/\bfor\s+(no\s+key\s+)?(update|share|key)\b|advisory|nextval|set_config/i.test(statement)
}
