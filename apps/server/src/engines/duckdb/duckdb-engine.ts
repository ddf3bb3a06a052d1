/**
 * DuckDB as an engine. People's SQL runs in child processes (`duckdb-child.ts`) that are killed to stop a statement: nothing less
 * stops DuckDB in the middle of one function call.
 */
import { availableParallelism } from 'node:os'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { type Engine, EngineError, type RunRequest } from '../engine.ts'
import type { EngineResult, RowBatch, RunStatistics } from '../../model/result.ts'
import { allRows, describeTables } from './describe-duckdb.ts'
import { noSpaceToSpill } from './duckdb-failure.ts'
import { processPool } from './duckdb-pool.ts'
import { type EngineProcess, startProcess } from './process.ts'

export interface DuckdbOptions {
  /** Absolute path of the .duckdb file. */
  file: string
  /** An existing folder; every process gets a folder in it for what does not fit into memory. */
  temporaryDirectory: string
  /** What DuckDB itself may hold before it spills to disk. */
  memoryLimitMb?: number
  /** What a whole process may hold, on Linux. DuckDB's own limit does not bound every function; this does. */
  processMemoryLimitMb?: number
  /** What a process may spill to disk. */
  temporaryLimitMb?: number
  maxProcesses?: number
  spareIdleMs?: number
  clock: Clock
  log: Log
}

/** More threads than this buy little for one statement, and each maps memory of its own. */
const maxThreads = 4

/** Node and DuckDB hold 650 MB of writable memory (most of it never touched) before the first statement. */
const processOverheadMb = 1024

export function openDuckdbEngine(options: DuckdbOptions): Engine {
  const { file, temporaryDirectory, clock, log, memoryLimitMb = 1024 } = options
  const pool = processPool({
    start: () =>
      startProcess({
        file,
        temporaryDirectory,
        memoryLimitMb,
        processMemoryLimitMb: options.processMemoryLimitMb ?? memoryLimitMb + processOverheadMb,
        temporaryLimitMb: options.temporaryLimitMb ?? 4096,
        threads: Math.min(maxThreads, availableParallelism()),
        log,
      }),
    maxProcesses: options.maxProcesses ?? 2,
    spareIdleMs: options.spareIdleMs ?? 60_000,
    clock,
  })

  async function run({ sql, signal, onProgress }: RunRequest): Promise<EngineResult> {
    const process = await pool.borrow(signal)
    let isOver = false
    const stop = () => process.kill()
    signal.addEventListener('abort', stop, { once: true })

    /** From here on the process is somebody else's, or gone. */
    function finish() {
      isOver = true
      signal.removeEventListener('abort', stop)
    }

    function giveBack({ isSpent }: { isSpent: boolean }) {
      finish()
      if (isSpent) process.kill()
      else pool.giveBack(process)
    }

    /** What comes next, or why nothing does. A process that answered with an error is well and goes back. */
    async function next() {
      const answer = await process.nextAnswer()
      if (answer !== null && answer.kind !== 'error') return answer
      if (answer === null) {
        const wasStopped = signal.aborted
        finish()
        throw await whyEnded(process, wasStopped)
      }
      if (answer.message === noSpaceToSpill) log.error({ engine: 'duckdb', temporaryDirectory }, 'statement failed: no space left')
      giveBack(answer)
      throw new EngineError(answer.errorKind, answer.message, { position: answer.position })
    }

    if (signal.aborted) stop()
    log.debug({ engine: 'duckdb', pid: process.pid }, 'statement given to engine process')
    process.send({ sql })
    let first = await next()
    for (; first.kind === 'progress'; first = await next()) onProgress?.(first.percent)
    if (first.kind !== 'fields') throw new Error(`Expected fields, got ${first.kind}`)
    let statistics: RunStatistics | undefined

    async function* batches(): AsyncGenerator<RowBatch> {
      try {
        for (;;) {
          const answer = await next()
          if (answer.kind === 'end') {
            statistics = answer.statistics
            giveBack(answer)
            return
          }
          if (answer.kind === 'rows') yield { rowCount: answer.rowCount, json: answer.json }
        }
      } finally {
        // Reached early when the reader has enough: the statement is stopped, not read to its end for nobody.
        if (!isOver) {
          stop()
          finish()
        }
      }
    }

    return {
      fields: first.fields,
      batches: batches(),
      statistics() {
        if (statistics === undefined) throw new Error('Statistics are known once all batches have been read.')
        return statistics
      },
    }
  }

  return {
    dialect: 'duckdb',
    run,
    async test(signal) {
      const [[version]] = (await allRows(await run({ sql: 'select version()', signal }))) as [[string]]
      return { version: `DuckDB ${version}` }
    },
    describe: (signal) => describeTables((sql) => run({ sql, signal })),
    close: () => pool.close(),
  }
}

async function whyEnded(process: EngineProcess, wasStopped: boolean): Promise<EngineError> {
  const reason = await process.ended
  return wasStopped ? new EngineError('stopped', 'The statement was stopped.') : new EngineError('failed', reason)
}
