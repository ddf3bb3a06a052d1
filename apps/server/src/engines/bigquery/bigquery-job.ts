/**
 * One statement at the server, as a job with an id of our own. It is *over* when its last page has been read, when it has failed, or
 * when it was canceled and the server says that it is done.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { ServerSettings } from '../../model/server-settings.ts'
import { cancelWithinLimit } from '../http/cancel-within-limit.ts'
import type { BigqueryConnection } from './bigquery-connection.ts'
import { BigqueryError, type BigqueryFailure, describeFailure } from './bigquery-failure.ts'
import type { BigqueryField, Cell } from './bigquery-values.ts'

export interface ResultPage {
  fields: BigqueryField[]
  rows: { f: Cell[] }[]
  totalBytesProcessed?: string
}

export interface DryRun {
  statementType: string | undefined
  estimatedBytes: number
}

interface JobResource {
  jobReference?: { location?: string }
  status?: { state?: string; errorResult?: BigqueryFailure }
  statistics?: { totalBytesProcessed?: string; query?: { statementType?: string; totalBytesProcessed?: string } }
}

interface ResultResource {
  jobComplete?: boolean
  schema?: { fields?: BigqueryField[] }
  rows?: ResultPage['rows']
  pageToken?: string
  totalBytesProcessed?: string
}

interface JobOptions {
  connection: BigqueryConnection
  settings: ServerSettings
  sql: string
}

function configurationOf({ settings, sql }: JobOptions, maximumBytesBilled?: number) {
  const { database: projectId, options: { dataset } = {} } = settings
  return {
    query: sql,
    useLegacySql: false,
    ...(dataset !== undefined && { defaultDataset: { projectId, datasetId: dataset } }),
    ...(maximumBytesBilled !== undefined && { maximumBytesBilled: String(maximumBytesBilled) }),
  }
}

/** Checks the statement without running it, free of charge. */
export async function dryRun(options: JobOptions, signal: AbortSignal): Promise<DryRun> {
  const { connection, settings, sql } = options
  const body = {
    jobReference: { projectId: settings.database, location: settings.options?.['location'] },
    configuration: { dryRun: true, query: configurationOf(options) },
  }
  const { statistics } = await connection.call<JobResource>({ method: 'POST', path: '/jobs', body, sql, signal })
  const { statementType, totalBytesProcessed = statistics?.totalBytesProcessed } = statistics?.query ?? {}
  return { statementType, estimatedBytes: Number(totalBytesProcessed ?? 0) }
}

export interface BigqueryJob {
  /** Starts the job, then reads page after page; null after the last one. */
  next(): Promise<ResultPage | null>
  /** Resolves when the server no longer runs it. */
  cancel(): Promise<void>
}

const pageRows = '10000'
/** The server answers after this time even if the job still runs. */
const waitMs = '10000'
const pauseMs = 100

export function startJob(
  options: JobOptions & { jobId: string; maximumBytesBilled: number | undefined; clock: Clock; log: Log },
): BigqueryJob {
  const { connection, settings, sql, jobId, clock, log } = options
  /** Where the job runs. If no setting says so, the server chooses, and later requests have to name its choice. */
  let location = settings.options?.['location']
  let state: 'new' | 'running' | 'over' = 'new'
  let pageToken: string | undefined
  let pending: Promise<unknown> | undefined
  let cancelling: Promise<void> | undefined

  async function start(): Promise<void> {
    const body = {
      jobReference: { projectId: settings.database, jobId, location },
      configuration: { query: configurationOf(options, options.maximumBytesBilled) },
    }
    try {
      const { status, jobReference } = await connection.call<JobResource>({ method: 'POST', path: '/jobs', body, sql })
      location = jobReference?.location ?? location
      if (status?.errorResult) throw describeFailure(status.errorResult, sql)
    } catch (error) {
      // The first request started it, and its response was lost.
      if (!(error instanceof BigqueryError && error.code === 'duplicate')) throw error
    }
  }

  async function readPage(): Promise<ResultPage> {
    if (state === 'new') {
      await start()
      state = 'running'
    }
    const parameters = { location, pageToken, maxResults: pageRows, timeoutMs: waitMs, 'formatOptions.useInt64Timestamp': 'true' }
    for (;;) {
      const page = await connection.call<ResultResource>({ method: 'GET', path: `/queries/${jobId}`, parameters, sql })
      if (page.jobComplete) {
        pageToken = page.pageToken
        if (pageToken === undefined) state = 'over'
        return { ...page, fields: page.schema?.fields ?? [], rows: page.rows ?? [] }
      }
      await clock.sleep(pauseMs)
    }
  }

  async function cancelAtServer(): Promise<void> {
    // The job may not exist yet.
    if (state === 'new') await pending?.catch(() => {})
    if (state !== 'running') return
    const parameters = { location }
    await connection.call({ method: 'POST', path: `/jobs/${jobId}/cancel`, parameters })
    for (;;) {
      const { status } = await connection.call<JobResource>({ method: 'GET', path: `/jobs/${jobId}`, parameters })
      if (status?.state === 'DONE') return
      await clock.sleep(pauseMs)
    }
  }

  async function cancel(): Promise<void> {
    await cancelWithinLimit(cancelAtServer, { clock, log, statement: { engine: 'bigquery', jobId } })
    state = 'over'
  }

  return {
    next() {
      if (state === 'over') return Promise.resolve(null)
      const page = readPage()
      pending = page
      return page
    },
    cancel() {
      cancelling ??= cancel()
      return cancelling
    },
  }
}
