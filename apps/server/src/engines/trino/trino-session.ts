/** The service's own statements on a server: transactions, and small queries whose result is read at once. */
import type { ServerSettings } from '../../model/server-settings.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { EngineError, stoppedBeforeStart } from '../engine.ts'
import { againIfLost, ServerUnavailable } from '../http/server-unavailable.ts'
import { NotJson } from '../json-values/json-text.ts'
import type { TrinoConnection, TrinoResponse } from './trino-connection.ts'
import { noTrino, TrinoError } from './trino-failure.ts'
import { startQuery } from './trino-query.ts'

interface SessionOptions {
  server: TrinoConnection
  clock: Clock
  log: Log
}

interface OwnResult {
  rows: unknown[][]
  headers: TrinoResponse['headers'][]
}

async function readOnce(options: SessionOptions, sql: string, signal: AbortSignal, headers: Record<string, string>): Promise<OwnResult> {
  const query = startQuery({ ...options, sql, headers })
  const result: OwnResult = { rows: [], headers: [] }
  const stop = () => void query.cancel()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) throw stoppedBeforeStart()
  try {
    for (let page = await query.next(); page !== null; page = await query.next()) {
      result.headers.push(page.headers)
      for (const { json } of page.batches()) result.rows.push(...(JSON.parse(`[${Buffer.from(json).toString()}]`) as unknown[][]))
    }
    return result
  } catch (error) {
    if (signal.aborted) {
      await query.cancel()
      throw stoppedBeforeStart()
    }
    if (error instanceof NotJson || error instanceof SyntaxError) throw new ServerUnavailable(noTrino, { wasConnected: false })
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

const readOwn = (options: SessionOptions, sql: string, signal: AbortSignal, headers: Record<string, string> = noTransaction): Promise<OwnResult> =>
  againIfLost(() => readOnce(options, sql, signal, headers))

const noTransaction = {}

export async function queryRows(options: SessionOptions, sql: string, signal: AbortSignal): Promise<unknown[][]> {
  return (await readOwn(options, sql, signal)).rows
}

/**
 * Starts a transaction in which the server rejects every write. Returns the headers of statements in it. A user other than that of the
 * connection is impersonated, if the server allows it.
 */
export async function beginReadOnly(
  options: SessionOptions,
  signal: AbortSignal,
  user?: string,
): Promise<Record<string, string>> {
  const own: Record<string, string> = user === undefined ? {} : { 'x-trino-user': user }
  const { headers } = await readOwn(options, 'START TRANSACTION READ ONLY', signal, { ...own, 'x-trino-transaction-id': 'NONE' })
  const id = headers.map((each) => each['x-trino-started-transaction-id']).find((value) => typeof value === 'string')
  if (id === undefined) throw new ServerUnavailable(noTrino, { wasConnected: false })
  return { ...own, 'x-trino-transaction-id': id }
}

/** A transaction that cannot be ended expires at the server after five minutes. */
export async function endTransaction(options: SessionOptions, headers: Record<string, string>): Promise<void> {
  try {
    await readOwn(options, 'ROLLBACK', new AbortController().signal, headers)
  } catch (error) {
    options.log.debug({ err: error, engine: 'trino' }, 'transaction not ended')
  }
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
export const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

/** Throws if the configured catalog or schema does not exist, which statements that name no table would not notice. */
export async function checkCatalog(options: SessionOptions, settings: ServerSettings, signal: AbortSignal): Promise<void> {
  const schema = settings.options?.['schema']
  const condition = schema === undefined ? 'false' : `schema_name = ${literal(schema.toLowerCase())}`
  const sql = `SELECT schema_name FROM ${quoted(settings.database)}.information_schema.schemata WHERE ${condition}`
  const rows = await queryRows(options, sql, signal).catch((error: unknown) => {
    if (!(error instanceof TrinoError) || error.code === 'UNAUTHORIZED') throw error
    const message = `The catalog ${JSON.stringify(settings.database)} cannot be read: ${error.message.split('\n')[0]}`
    throw new TrinoError('unreachable', message, { code: error.code })
  })
  if (schema !== undefined && rows.length === 0) {
    throw new EngineError('unreachable', `The catalog has no schema ${JSON.stringify(schema)}. Check its name.`)
  }
}
