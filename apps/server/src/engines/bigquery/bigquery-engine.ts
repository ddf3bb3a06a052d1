/**
 * The BigQuery engine, over the REST API itself: Google's client resolves host names on its own, while here only allowed addresses
 * are dialed. A dry run before each statement says what the statement is and how much it would read.
 */
import type { EngineResult } from '../../model/result.ts'
import { secureRandom } from '../../ports/random.ts'
import type { Engine, RunRequest } from '../engine.ts'
import type { ServerOptions } from '../server-options.ts'
import { makeStatementPermits } from '../statement-permits.ts'
import { openBigqueryConnection } from './bigquery-connection.ts'
import { dryRun, startJob } from './bigquery-job.ts'
import { checkStatement, checkStatementType } from './bigquery-statement.ts'
import { checkBytes, limitBytesOf } from './bytes-limit.ts'
import { describeTables } from './describe-bigquery.ts'
import { readJob } from './run-bigquery.ts'

const defaultConnections = 8

export function openBigqueryEngine(options: ServerOptions): Engine {
  const { settings, clock, log } = options
  const connection = openBigqueryConnection(options)
  const permits = makeStatementPermits(options.maxConnections ?? defaultConnections)
  const closing = new AbortController()
  const running = new Set<Promise<void>>()
  const limitBytes = limitBytesOf(settings)

  async function check(sql: string, signal: AbortSignal): Promise<number> {
    const { statementType, estimatedBytes } = await dryRun({ connection, settings, sql }, signal)
    checkStatementType(statementType)
    return estimatedBytes
  }

  async function start(sql: string, signal: AbortSignal, onOver: () => void): Promise<EngineResult> {
    checkBytes(await check(sql, signal), limitBytes)
    const jobId = `querypost-${Buffer.from(secureRandom.bytes(16)).toString('hex')}`
    const job = startJob({ connection, settings, sql, jobId, maximumBytesBilled: limitBytes, clock, log })
    const over = Promise.withResolvers<void>()
    running.add(over.promise)
    void over.promise.then(() => running.delete(over.promise)).then(onOver)
    return readJob(job, signal, over.resolve)
  }

  return {
    dialect: 'bigquery',
    async run(request: RunRequest) {
      const sql = checkStatement(request.sql)
      const signal = AbortSignal.any([request.signal, closing.signal])
      const release = await permits.acquire(signal)
      try {
        return await start(sql, signal, release)
      } catch (error) {
        release()
        throw error
      }
    },
    async test(signal) {
      const { dataset } = settings.options ?? {}
      await dryRun({ connection, settings, sql: 'SELECT 1' }, signal)
      if (dataset !== undefined) await connection.call({ method: 'GET', path: `/datasets/${encodeURIComponent(dataset)}`, signal })
      return { version: 'BigQuery v2' }
    },
    describe: (signal) => describeTables(connection, signal),
    estimate: async (sql, signal) => check(checkStatement(sql), AbortSignal.any([signal, closing.signal])),
    async close() {
      closing.abort()
      permits.close()
      await Promise.all(running)
      await connection.close()
    },
  }
}
