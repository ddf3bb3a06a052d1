/**
 * The DuckDB engine. User SQL runs in child processes (`duckdb-child.ts`), which are killed to stop a statement: nothing else
 * stops DuckDB in the middle of a function call.
 */
import { availableParallelism } from 'node:os'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { type Engine, EngineError, knownStatistics, type RunRequest, statementStopped } from '../engine.ts'
import type { EngineResult, RowBatch, RunStatistics } from '../../model/result.ts'
import { allRows, describeTables } from './describe-duckdb.ts'
import { noSpaceToSpill } from './duckdb-failure.ts'
import { processPool } from './duckdb-pool.ts'
import { type EngineProcess, startProcess } from './process.ts'

export interface DuckdbOptions {
  /** Absolute path of the .duckdb file. */
  file: string
  /** An existing folder, in which every process gets a folder to spill to. */
  temporaryDirectory: string
  /** The memory DuckDB may use before it spills to disk. */
  memoryLimitMb?: number
  /** The memory of a whole process, on Linux. DuckDB's own limit does not cover every function; this one does. */
  processMemoryLimitMb?: number
  /** The disk space a process may spill to. */
  temporaryLimitMb?: number
  maxProcesses?: number
  spareIdleMs?: number
  clock: Clock
  log: Log
}

/** More threads help a single statement little, and each one maps more memory. */
const maxThreads = 4

/** Node and DuckDB hold 650 MB of writable memory (most of it never touched) before the first statement. */
const processOverheadMb = 1024

/** Runs statements in processes that are killed to stop them: DuckDB's, or those of another program with the same protocol. */
export function openStatementProcesses(options: DuckdbOptions & { childFile?: string }): Pick<Engine, 'run' | 'close'> {
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
        ...(options.childFile !== undefined && { childFile: options.childFile }),
      }),
    maxProcesses: options.maxProcesses ?? 2,
    spareIdleMs: options.spareIdleMs ?? 60_000,
    clock,
  })

  async function run({ sql, signal, tables, onProgress }: RunRequest): Promise<EngineResult> {
    const process = await pool.borrow(signal)
    let isOver = false
    const stop = () => process.kill()
    signal.addEventListener('abort', stop, { once: true })

    /** After this, the process belongs to another statement or is gone. */
    function finish() {
      isOver = true
      signal.removeEventListener('abort', stop)
    }

    function giveBack({ isSpent }: { isSpent: boolean }) {
      finish()
      if (isSpent) process.kill()
      else pool.giveBack(process)
    }

    /** The next answer. Throws the statement's error; a process that reported one is healthy and returns to the pool. */
    async function next() {
      const answer = await process.nextAnswer()
      if (answer !== null && answer.kind !== 'error') return answer
      if (answer === null) {
        const wasStopped = signal.aborted
        finish()
        throw await endError(process, wasStopped)
      }
      if (answer.message === noSpaceToSpill) log.error({ engine: 'duckdb', temporaryDirectory }, 'statement failed: no space left')
      giveBack(answer)
      throw new EngineError(answer.errorKind, answer.message, { position: answer.position })
    }

    if (signal.aborted) stop()
    log.debug({ engine: 'duckdb', pid: process.pid }, 'statement sent to engine process')
    process.send({ sql, ...(tables && { tables }) })
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
          if (answer.kind === 'rows') yield answer
        }
      } finally {
        // The reader stopped early: stop the statement instead of reading to its end.
        if (!isOver) {
          stop()
          finish()
        }
      }
    }

    return {
      fields: first.fields,
      batches: batches(),
      statistics: () => knownStatistics(statistics),
    }
  }

  return { run, close: () => pool.close() }
}

export function openDuckdbEngine(options: DuckdbOptions): Engine {
  const { run, close } = openStatementProcesses(options)
  return {
    dialect: 'duckdb',
    run,
    async test(signal) {
      const [[version]] = (await allRows(await run({ sql: 'select version()', signal }))) as [[string]]
      return { version: `DuckDB ${version}` }
    },
    describe: (signal) => describeTables((sql) => run({ sql, signal })),
    close,
  }
}

async function endError(process: EngineProcess, wasStopped: boolean): Promise<EngineError> {
  const reason = await process.ended
  return wasStopped ? statementStopped() : new EngineError('failed', reason)
}
