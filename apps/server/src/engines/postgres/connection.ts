/**
 * One connection, which serves one statement at a time.
 *
 * - A statement is *begun*: in a read-only transaction with the service's settings, the server parses it and describes its
 *   columns.
 * - It is *executed*, and its rows are read as they arrive.
 * - When it is over, the connection is *cleaned*, so that no state is left for the next statement.
 * - Or it is *stopped* at any moment: the server is asked to cancel it, and the connection ends. Once it has ended, the
 *   server no longer runs the statement. A stopped connection is never reused.
 */
import { abortAfter } from '../../ports/clock.ts'
import { EngineError, type EngineSession, stoppedBeforeStart } from '../engine.ts'
import type { RowBatch } from '../../model/result.ts'
import { rowTooLarge, TooManyBytes } from '../json-bytes.ts'
import type { ServerOptions } from '../server-options.ts'
import { dial } from './dial-postgres.ts'
import { faultError } from './fault.ts'
import { answer, bind, describeStatement, execute, parse, query, sync, terminate } from './messages.ts'
import { readColumns, type ResultColumn } from './result-columns.ts'
import { sessionSettings } from './postgres-session.ts'
import { refuseStore } from './refuse-store.ts'
import { readRows } from './postgres-rows.ts'
import { stopStatement } from './stop-postgres.ts'
import { type ArrayElement, arraysSql, isKnown, typeOf, type ValueType } from './postgres-types.ts'
import { readVersion, type ServerVersion } from './version.ts'
import { Wire } from './wire.ts'

export interface BegunStatement {
  columns: { name: string; type: ValueType }[]
  /** The number of `$1`, `$2`, … in the statement. */
  parameterCount: number
}

/** How long cleaning may take after a statement is over. */
const cleanLimitMs = 5_000

export async function openConnection(options: ServerOptions, signal: AbortSignal): Promise<PostgresConnection> {
  const wire = new Wire(await dial(options, signal))
  const giveUp = () => wire.drop()
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    const [[text]] = (await wire.queryRows('select pg_catalog.version()')) as [[string]]
    const version = readVersion(text)
    const store = version.isRedshift ? null : await options.ownStore?.()
    if (store) await refuseStore(wire, store)
    return new PostgresConnection(options, wire, version)
  } catch (error) {
    wire.drop()
    throw signal.aborted ? stoppedBeforeStart() : error
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

export class PostgresConnection {
  readonly version: ServerVersion
  /** Whether it has served a statement before, and so may have died since. */
  hasServed = false
  #options: ServerOptions
  #wire: Wire
  /** Types that were looked up on the server because they are not built in. */
  #arrays = new Map<number, ArrayElement>()
  #queriedTypes = new Set<number>()
  #stopping: Promise<void> | undefined
  #isIdle = false

  constructor(options: ServerOptions, wire: Wire, version: ServerVersion) {
    this.#options = options
    this.#wire = wire
    this.version = version
  }

  /** Lets the server parse the statement without executing it. */
  async begin(sql: string, session?: EngineSession): Promise<BegunStatement> {
    const settings = [...this.version.settings, ...(session ? sessionSettings(session) : [])].map((setting) => `; set local ${setting}`).join('')
    this.#wire.send([query(`begin read only${settings}`), parse(sql), describeStatement(), sync()], { answers: 2 })
    const ownFault = await this.#wire.settle()
    let columns: ResultColumn[] = []
    let parameterCount = 0
    const fault = await this.#wire.settle((reader) => {
      if (reader.kind === answer.rowDescription) columns = readColumns(reader)
      if (reader.kind === answer.parameterDescription) parameterCount = reader.bytes.readInt16BE(reader.start)
    })
    if (ownFault) throw faultError(ownFault, '')
    if (fault) throw faultError(fault, sql)
    await this.#lookUpTypes(columns, sql)
    return { columns: columns.map(({ name, oid }) => ({ name, type: typeOf(oid, this.#arrays) })), parameterCount }
  }

  /** Looks up unknown types. The lookup replaces the unnamed statement, so the user's statement is parsed again afterwards. */
  async #lookUpTypes(columns: ResultColumn[], sql: string): Promise<void> {
    const unknown = columns.map(({ oid }) => oid).filter((oid) => !isKnown(oid) && !this.#queriedTypes.has(oid))
    if (unknown.length === 0 || this.version.isRedshift) return
    for (const [array, oid, delimiter] of await this.#wire.queryRows(arraysSql(unknown))) {
      this.#arrays.set(Number(array), { oid: Number(oid), delimiter: delimiter! })
    }
    for (const oid of unknown) this.#queriedTypes.add(oid)
    this.#wire.send([parse(sql), sync()], { answers: 1 })
    const fault = await this.#wire.settle()
    if (fault) throw faultError(fault, sql)
  }

  /** Runs the begun statement. Its rows arrive as fast as they are read. */
  execute(): void {
    this.#wire.send([bind(), execute(), sync()], { answers: 1 })
  }

  async *rows(sql: string, { columns }: BegunStatement): AsyncGenerator<RowBatch> {
    try {
      const writers = columns.map(({ type }) => type.write)
      yield* readRows({ wire: this.#wire, writers, sql, isStopping: () => this.isStopping })
    } catch (error) {
      throw error instanceof TooManyBytes ? new EngineError('failed', rowTooLarge) : error
    }
  }

  /** Whether the server has answered everything, so that the connection can be reused after an error. */
  get isReady(): boolean {
    return this.#wire.isReady
  }

  /**
   * Whether the connection can serve another statement. If the server does not answer in time, the connection is dropped,
   * because it would otherwise occupy a place in the pool forever.
   */
  async clean(): Promise<boolean> {
    this.hasServed = true
    const limit = abortAfter(this.#options.clock, cleanLimitMs)
    limit.signal.addEventListener('abort', () => {
      this.#options.log.warn({ engine: 'postgres', limitMs: cleanLimitMs }, 'connection cleanup timed out')
      this.#wire.drop()
    })
    try {
      this.#wire.send([query('rollback'), query('discard all')], { answers: 2 })
      const faults = [await this.#wire.settle(), await this.#wire.settle()]
      // Redshift can only reset a session's state by ending the session.
      return faults.every((fault) => fault === null) && !this.version.isRedshift
    } catch {
      return false
    } finally {
      limit.cancel()
    }
  }

  get isStopping(): boolean {
    return this.#stopping !== undefined
  }

  /** Resolves when the server no longer runs the statement. */
  stop(): Promise<void> {
    this.#stopping ??= stopStatement(this.#options, this.#wire)
    return this.#stopping
  }

  /** Marks it as idle: it does not keep the process alive, and `onLost` is called when the server closes it. */
  setIdle(onLost: () => void): void {
    const { socket } = this.#wire.dialed
    socket.unref()
    this.#isIdle = true
    // A server sends nothing on an idle connection, unless it is closing it.
    void this.#wire.reader.chunk().then(() => {
      if (this.#isIdle) onLost()
    })
  }

  setBusy(): void {
    this.#isIdle = false
    this.#wire.dialed.socket.ref()
  }

  /** Resolves when the connection has ended. */
  async end(): Promise<void> {
    const { socket } = this.#wire.dialed
    if (socket.closed) return
    const ended = new Promise((resolve) => socket.once('close', resolve))
    this.#isIdle = false
    if (socket.writable) socket.write(terminate(), () => socket.destroy())
    else socket.destroy()
    await ended
  }
}
