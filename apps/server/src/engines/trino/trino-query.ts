/**
 * One statement at the server. It is *over* when its last page has been read, when it has failed, or when it was canceled and the
 * server says that it no longer runs.
 */
import type { RowBatch } from '../../model/result.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { cancelWithinLimit } from '../http/cancel-within-limit.ts'
import { rowBatcher } from '../row-batches.ts'
import type { TrinoConnection, TrinoRequest, TrinoResponse } from './trino-connection.ts'
import { describeFailure, ServerBusy } from './trino-failure.ts'
import { type Page, type PageFrame, pageReader, type TrinoStats } from './trino-page.ts'
import type { TrinoColumn } from './trino-columns.ts'

export interface TrinoPage {
  hasRows: boolean
  /** Rewrites the rows. To be read before those of the next page, which may be requested before. */
  batches(): Generator<RowBatch, void>
  /** Known once the batches have been read. */
  stats(): TrinoStats
  headers: TrinoResponse['headers']
}

export interface TrinoQuery {
  /** Sends the statement, then reads page after page; null after the last one. */
  next(): Promise<TrinoPage | null>
  /** Known before the first rows. */
  columns(): TrinoColumn[] | undefined
  isOver(): boolean
  /** Resolves when the server no longer runs it. */
  cancel(): Promise<void>
}

/** Pauses before a page is requested again from a server that is busy, such as during a restart of its load balancer. */
const busyPausesMs = [50, 100, 200, 400, 800, 1600, 3200]

export function startQuery(options: {
  server: TrinoConnection
  sql: string
  headers: Record<string, string>
  clock: Clock
  log: Log
}): TrinoQuery {
  const { server, sql, headers, clock, log } = options
  const rows = rowBatcher()
  const reader = pageReader(rows)
  let state: 'new' | 'running' | 'over' = 'new'
  let path = '/v1/statement'
  let pending: Promise<unknown> | undefined
  let cancelling: Promise<void> | undefined

  /** Notes where the statement continues. */
  function follow({ nextUri }: PageFrame): void {
    // A statement that would continue elsewhere is left to the server, which ends it when nobody reads the result.
    state = 'over'
    if (nextUri === undefined) return
    path = server.pathOf(nextUri)
    state = 'running'
  }

  /** Every page can be requested again until the next one is. */
  async function requestPage(request: TrinoRequest): Promise<TrinoResponse> {
    for (const pauseMs of busyPausesMs) {
      try {
        return await server.request(request)
      } catch (error) {
        if (!(error instanceof ServerBusy) || cancelling) throw error
        await clock.sleep(pauseMs)
      }
    }
    return server.request(request)
  }

  async function readPage(): Promise<TrinoPage> {
    const response =
      state === 'new'
        ? await server.request({ method: 'POST', path, headers, body: sql })
        : await requestPage({ method: 'GET', path, headers })
    const page = reader.read(response.body)
    follow(page.frame)
    throwFailure(page)
    return { hasRows: page.hasRows, batches: () => batchesOf(page), stats: () => page.frame.stats ?? {}, headers: response.headers }
  }

  function* batchesOf(page: Page): Generator<RowBatch, void> {
    yield* page.batches()
    throwFailure(page)
    const isLast = page.frame.nextUri === undefined
    if (isLast && !rows.isEmpty()) yield rows.take()
  }

  function throwFailure({ frame: { error } }: Page): void {
    if (error) throw describeFailure(error, sql)
  }

  async function cancelAtServer(): Promise<void> {
    // Until the first response, there is nothing to cancel by.
    if (state === 'new') await pending?.catch(() => {})
    if (state !== 'running') return
    await server.request({ method: 'DELETE', path, headers })
    await pending?.catch(() => {})
    // The statement fails with its next page once it has been canceled.
    while (!isEnded()) follow(pageReader(rowBatcher()).read((await server.request({ method: 'GET', path, headers })).body).frame)
  }

  const isEnded = () => state === 'over'

  async function cancel(): Promise<void> {
    await cancelWithinLimit(cancelAtServer, { clock, log, statement: { engine: 'trino' } })
    state = 'over'
  }

  return {
    next() {
      if (state === 'over') return Promise.resolve(null)
      const page = readPage()
      pending = page
      return page
    },
    columns: () => reader.columns(),
    isOver: isEnded,
    cancel() {
      cancelling ??= cancel()
      return cancelling
    },
  }
}
