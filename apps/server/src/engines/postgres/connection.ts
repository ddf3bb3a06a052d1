/**
 * One connection, which serves one statement at a time.
 *
 * - A statement is *begun*: in a read-only transaction, with our settings, the server reads it and tells its columns.
 * - It is *executed*, and its rows are read as they come.
 * - When it is over, the connection is *cleaned*, and nothing of the statement is left for the next.
 * - Or it is *stopped*, at any moment: the server is asked to, and the connection ends. Once it has, the server has
 *   forgotten the statement too. A stopped connection serves no more.
 */
import { abortAfter } from '../../ports/clock.ts'
import { EngineError, stoppedBeforehand } from '../engine.ts'
import type { RowBatch } from '../../model/result.ts'
import { rowTooLarge, TooManyBytes } from '../json-bytes.ts'
import type { ServerOptions } from '../server-options.ts'
import { dial } from './dial-postgres.ts'
import { faultError } from './fault.ts'
import { answer, bind, describeStatement, execute, parse, query, sync, terminate } from './messages.ts'
import { readColumns, type ResultColumn } from './result-columns.ts'
import { refuseStore } from './refuse-store.ts'
import { readRows } from './postgres-rows.ts'
import { stopStatement } from './stop-postgres.ts'
import { type ArrayElement, arraysSql, isKnown, typeOf, type ValueType } from './postgres-types.ts'
import { readVersion, type ServerVersion } from './version.ts'
import { Wire } from './wire.ts'

export interface BegunStatement {
  columns: { name: string; type: ValueType }[]
  /** How many `$1`, `$2`, … it has. */
  parameterCount: number
}

/** How long the server may take to forget a statement that is over. */
const cleanLimitMs = 5_000

export async function openConnection(options: ServerOptions, signal: AbortSignal): Promise<PostgresConnection> {
  const wire = new Wire(await dial(options, signal))
  const giveUp = () => wire.drop()
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    const [[text]] = (await wire.ask('select pg_catalog.version()')) as [[string]]
    const version = readVersion(text)
    const store = version.isRedshift ? null : await options.ownStore?.()
    if (store) await refuseStore(wire, store)
    return new PostgresConnection(options, wire, version)
  } catch (error) {
    wire.drop()
    throw signal.aborted ? stoppedBeforehand() : error
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

export class PostgresConnection {
  readonly version: ServerVersion
  /** Has served a statement before, and so may have died since. */
  hasServed = false
  #options: ServerOptions
  #wire: Wire
  /** What the server told of types that are not known beforehand. */
  #arrays = new Map<number, ArrayElement>()
  #askedTypes = new Set<number>()
  #stopping: Promise<void> | undefined
  #isResting = false

  constructor(options: ServerOptions, wire: Wire, version: ServerVersion) {
    this.#options = options
    this.#wire = wire
    this.version = version
  }

  /** The server reads the statement and does nothing yet. */
  async begin(sql: string): Promise<BegunStatement> {
    const settings = this.version.settings.map((setting) => `; set local ${setting}`).join('')
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
    await this.#learnTypes(columns, sql)
    return { columns: columns.map(({ name, oid }) => ({ name, type: typeOf(oid, this.#arrays) })), parameterCount }
  }

  /** A question of ours takes the place of the person's statement, which is read again then. */
  async #learnTypes(columns: ResultColumn[], sql: string): Promise<void> {
    const unknown = columns.map(({ oid }) => oid).filter((oid) => !isKnown(oid) && !this.#askedTypes.has(oid))
    if (unknown.length === 0 || this.version.isRedshift) return
    for (const [array, oid, delimiter] of await this.#wire.ask(arraysSql(unknown))) {
      this.#arrays.set(Number(array), { oid: Number(oid), delimiter: delimiter! })
    }
    for (const oid of unknown) this.#askedTypes.add(oid)
    this.#wire.send([parse(sql), sync()], { answers: 1 })
    const fault = await this.#wire.settle()
    if (fault) throw faultError(fault, sql)
  }

  /** The server runs what was begun. Its rows come as fast as they are read. */
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

  /** Whether the server has answered everything, so that the connection can go on after an error. */
  get isReady(): boolean {
    return this.#wire.isReady
  }

  /**
   * Whether the connection can serve another statement. A server that does not answer in time is hung up on: its
   * connection would otherwise hold a place in the pool forever.
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
      // Redshift has no way to forget a session's state but to end it.
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

  /** Resolves when the server has forgotten the statement. */
  stop(): Promise<void> {
    this.#stopping ??= stopStatement(this.#options, this.#wire)
    return this.#stopping
  }

  /** While nobody uses it: it does not keep the process alive, and `onLost` is called when the server ends it. */
  rest(onLost: () => void): void {
    const { socket } = this.#wire.dialled
    socket.unref()
    this.#isResting = true
    // A server has nothing to say to who asks nothing, unless it is going away.
    void this.#wire.reader.chunk().then(() => {
      if (this.#isResting) onLost()
    })
  }

  wake(): void {
    this.#isResting = false
    this.#wire.dialled.socket.ref()
  }

  /** Resolves when the connection has ended. */
  async end(): Promise<void> {
    const { socket } = this.#wire.dialled
    if (socket.closed) return
    const ended = new Promise((resolve) => socket.once('close', resolve))
    this.#isResting = false
    if (socket.writable) socket.write(terminate(), () => socket.destroy())
    else socket.destroy()
    await ended
  }
}
