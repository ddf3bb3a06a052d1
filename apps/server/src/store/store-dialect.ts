import type {
  CompiledQuery,
  DatabaseConnection,
  DatabaseIntrospector,
  Dialect,
  DialectAdapter,
  Driver,
  Kysely,
  QueryCompiler,
  QueryResult,
  TransactionSettings,
} from 'kysely'
import { makeSemaphore, type Release, type Semaphore } from '../ports/semaphore.ts'
import { currentViewer } from './viewer.ts'
import { setViewer } from './set-viewer.ts'
import { JoinedConnection, joinTransaction } from './joined-transaction.ts'
import { commitOf } from './prepared.ts'
import { storeErrorOf } from './store-unavailable.ts'
import { channelsOf, type WakeupChannel } from './wakeups.ts'

export interface StoreDialectHooks {
  /** Called after the commit of a statement that created work for a channel. */
  wake(channel: WakeupChannel): void
  /** Statements join the transaction of the work that they belong to (joined-transaction.ts). */
  joinsTransactions?: boolean
  /** Lets tests set the store's time. */
  beforeStatement?(connection: DatabaseConnection): Promise<void>
}

/**
 * Extends a Kysely driver:
 *
 * - *Wake-ups are sent by the transaction.* A statement that creates work names the channel (`wakes`, wakeups.ts). When it is committed
 *   and has changed something, the channel's listeners are woken. No caller can forget it, and a rollback wakes no one.
 * - *A single connection is shared here*, not by Kysely, because statements that join a transaction must not wait for it.
 * - *A viewer's statements see no hidden rows* (access/viewer.ts). The transaction around them says whose they are; a statement outside a
 *   transaction gets one of its own.
 * - An unavailable store is one kind of error, `StoreUnavailable`, whatever the driver calls it.
 */
export class StoreDialect implements Dialect {
  readonly #inner: Dialect
  readonly #hooks: StoreDialectHooks

  constructor(inner: Dialect, hooks: StoreDialectHooks) {
    this.#inner = inner
    this.#hooks = hooks
  }

  createDriver(): Driver {
    const isSingle = this.#inner.createAdapter().supportsMultipleConnections === false
    return new StoreDriver(this.#inner.createDriver(), this.#hooks, { isSingle })
  }
  createQueryCompiler(): QueryCompiler {
    return this.#inner.createQueryCompiler()
  }
  createAdapter(): DialectAdapter {
    return Object.create(this.#inner.createAdapter(), { supportsMultipleConnections: { value: true } }) as DialectAdapter
  }
  createIntrospector(db: Kysely<never>): DatabaseIntrospector {
    return this.#inner.createIntrospector(db)
  }
}

class StoreDriver implements Driver {
  readonly #inner: Driver
  readonly #hooks: StoreDialectHooks
  /** A pool returns the same connection many times. */
  readonly #connections = new WeakMap<DatabaseConnection, StoreConnection>()
  /** Set if there is a single connection. */
  readonly #turns: Semaphore | undefined
  #endTurn: Release | undefined

  constructor(inner: Driver, hooks: StoreDialectHooks, { isSingle }: { isSingle: boolean }) {
    this.#inner = inner
    this.#hooks = hooks
    this.#turns = isSingle ? makeSemaphore({ permits: 1 }) : undefined
  }

  init(...options: Parameters<Driver['init']>): Promise<void> {
    return this.#inner.init(...options)
  }
  async acquireConnection(...options: Parameters<Driver['acquireConnection']>): Promise<DatabaseConnection> {
    const joined = this.#hooks.joinsTransactions ? joinTransaction((query) => this.#executeAlone(query)) : undefined
    return joined ?? this.#acquireOwn(...options)
  }
  async #executeAlone<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const connection = await this.#acquireOwn()
    try {
      return await connection.executeQuery<Row>(query)
    } finally {
      await this.releaseConnection(connection)
    }
  }
  async #acquireOwn(...options: Parameters<Driver['acquireConnection']>): Promise<StoreConnection> {
    const endTurn = await this.#turns?.acquire()
    const inner = await translated(this.#inner.acquireConnection(...options)).catch((error: unknown) => {
      endTurn?.()
      throw error
    })
    this.#endTurn = endTurn
    const known = this.#connections.get(inner) ?? new StoreConnection(inner, this.#hooks, this.#inner)
    this.#connections.set(inner, known)
    return known
  }
  async releaseConnection(connection: DatabaseConnection, ...options: unknown[]): Promise<void> {
    if (connection instanceof JoinedConnection) return connection.release()
    const commit = (connection as StoreConnection).takeCommit()
    if (!commit) return this.#release(connection, ...options)
    // Other statements would wait for the commit on this connection, and can use another.
    void commit.catch(() => {}).then(() => this.#release(connection, ...options))
  }
  async #release(connection: DatabaseConnection, ...options: unknown[]): Promise<void> {
    await (this.#inner.releaseConnection as (...args: unknown[]) => Promise<void>).call(this.#inner, innerOf(connection), ...options)
    this.#endTurn?.()
  }
  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    if (connection instanceof JoinedConnection) return connection.begin()
    const own = connection as StoreConnection
    await own.prepare()
    await translated(this.#inner.beginTransaction(own.inner, settings))
    own.begin()
    try {
      await own.showToViewer()
    } catch (error) {
      await this.rollbackTransaction(connection)
      throw error
    }
  }
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof JoinedConnection) return connection.commit()
    const own = connection as StoreConnection
    try {
      await translated(this.#inner.commitTransaction(own.inner))
    } catch (error) {
      own.end({ isCommitted: false })
      throw error
    }
    own.end({ isCommitted: true })
  }
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof JoinedConnection) return connection.rollback()
    const own = connection as StoreConnection
    own.end({ isCommitted: false })
    await translated(this.#inner.rollbackTransaction(own.inner))
  }
  savepoint(connection: DatabaseConnection, name: string, compile: QueryCompiler['compileQuery']): Promise<void> {
    return this.#inner.savepoint!(innerOf(connection), name, compile)
  }
  rollbackToSavepoint(connection: DatabaseConnection, name: string, compile: QueryCompiler['compileQuery']): Promise<void> {
    return this.#inner.rollbackToSavepoint!(innerOf(connection), name, compile)
  }
  releaseSavepoint(connection: DatabaseConnection, name: string, compile: QueryCompiler['compileQuery']): Promise<void> {
    return this.#inner.releaseSavepoint!(innerOf(connection), name, compile)
  }
  destroy(...options: Parameters<Driver['destroy']>): Promise<void> {
    return this.#inner.destroy(...options)
  }
}

class StoreConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection
  readonly #hooks: StoreDialectHooks
  readonly #driver: Driver
  /** The channels to wake when the transaction commits; undefined outside a transaction. */
  #toWake: Set<WakeupChannel> | undefined
  /** Of a statement that was answered early. */
  #commit: Promise<void> | undefined

  constructor(inner: DatabaseConnection, hooks: StoreDialectHooks, driver: Driver) {
    this.inner = inner
    this.#hooks = hooks
    this.#driver = driver
  }

  async prepare(): Promise<void> {
    if (this.#hooks.beforeStatement) await translated(this.#hooks.beforeStatement(this.inner))
  }
  begin(): void {
    this.#toWake = new Set()
  }
  end({ isCommitted }: { isCommitted: boolean }): void {
    const channels = this.#toWake
    this.#toWake = undefined
    if (isCommitted && channels) for (const channel of channels) this.#hooks.wake(channel)
  }

  async executeQuery<Row>(query: CompiledQuery, ...rest: unknown[]): Promise<QueryResult<Row>> {
    // In a transaction, the time is set before it begins and stays the same until it ends.
    if (!this.#toWake) await this.prepare()
    const execute = this.inner.executeQuery as (...args: unknown[]) => Promise<QueryResult<Row>>
    const act = () => translated(execute.call(this.inner, query, ...rest))
    const result = this.#toWake || !currentViewer() ? await act() : await this.#actForViewer(act)
    this.#commit = commitOf(result.rows)
    const channels = channelsOf(query.sql)
    if (channels.length > 0 && hasChanged(result)) {
      for (const channel of channels) {
        if (this.#toWake) this.#toWake.add(channel)
        else this.#hooks.wake(channel)
      }
    }
    return result
  }
  takeCommit(): Promise<void> | undefined {
    const commit = this.#commit
    this.#commit = undefined
    return commit
  }
  /** In a transaction. */
  async showToViewer(): Promise<void> {
    const viewer = currentViewer()
    if (viewer) await translated(setViewer(this.inner, viewer))
  }
  async #actForViewer<Result>(act: () => Promise<Result>): Promise<Result> {
    await translated(this.#driver.beginTransaction(this.inner, {}))
    try {
      await this.showToViewer()
      const result = await act()
      await translated(this.#driver.commitTransaction(this.inner))
      return result
    } catch (error) {
      await this.#driver.rollbackTransaction(this.inner)
      throw error
    }
  }
  streamQuery<Row>(...args: Parameters<DatabaseConnection['streamQuery']>): AsyncIterableIterator<QueryResult<Row>> {
    if (currentViewer()) throw new Error('Rows cannot be streamed to a viewer.')
    return this.inner.streamQuery<Row>(...args)
  }
}

const innerOf = (connection: DatabaseConnection) => (connection as StoreConnection).inner

/** PGlite does not count affected rows of a statement that returns them. */
const hasChanged = ({ numAffectedRows, rows }: QueryResult<unknown>) => rows.length > 0 || (numAffectedRows ?? 0n) > 0n

async function translated<Result>(answer: Promise<Result>): Promise<Result> {
  try {
    return await answer
  } catch (error) {
    throw storeErrorOf(error)
  }
}
