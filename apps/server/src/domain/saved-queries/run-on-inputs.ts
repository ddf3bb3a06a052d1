import { EngineError, type RunRequest } from '../../engines/engine.ts'
import { excerptAt } from '../../engines/error-excerpt.ts'
import { readRefCalls, replaceRefCalls } from '../../engines/lineage/ref-calls.ts'
import type { ConfiguredDatabase } from '../../model/database.ts'
import type { EngineResult, RowBatch } from '../../model/result.ts'
import type { RunInputInFull } from '../../model/run.ts'
import type { Log } from '../../ports/log.ts'
import type { ResultStore } from '../../results/result-store.ts'
import type { Db } from '../../store/db.ts'
import { readRunInputs } from '../../store/runs/run-inputs.ts'
import type { Engines } from '../databases/engines.ts'
import { distinctInputs, tableNameOf } from './distinct-inputs.ts'
import type { InputFiles, UsedFile } from './input-files.ts'
import { nameOf } from './input-queries.ts'

export interface RunOnInputsDeps {
  db: Db
  log: Log
  engines: Pick<Engines, 'engineOf'>
  results: Pick<ResultStore, 'open'>
  inputFiles: InputFiles
  /** All inputs of a run together, as stored. */
  inputsMaxBytes?: number
}

export interface RunOnInputs {
  id: string
  organizationId: string
  database: ConfiguredDatabase
  renderedSql: string
}

const inputsMaxBytesDefault = 2 * 1024 ** 3

/** Runs SQL in a sandbox whose tables are the results that the run's `ref(…)` read. */
export async function runOnInputs(deps: RunOnInputsDeps, run: RunOnInputs, request: RunRequest): Promise<EngineResult> {
  const { calls } = readRefCalls(request.sql)
  const { inputs, indexOf } = distinctInputs(calls)
  const chosen = await readRunInputs(deps.db, { organizationId: run.organizationId, runId: run.id })
  if (chosen.length !== inputs.length) throw new EngineError('failed', 'The results that this run reads were not recorded. Run it again.')
  refuseUnusable(chosen, deps.inputsMaxBytes ?? inputsMaxBytesDefault)
  const used: UsedFile[] = []
  const release = async () => {
    for (const each of used) await each.release()
  }
  try {
    for (const input of chosen) used.push(await openInput(deps, run, input, request.signal))
    const tables = used.map(({ file }, index) => ({ name: tableNameOf(inputs, index), file }))
    const sql = replaceRefCalls(request.sql, calls, (call) => tables[indexOf(call)]!.name)
    return await runOnTables(deps, run, { request: { ...request, sql, tables }, writtenSql: request.sql, release })
  } catch (error) {
    await release()
    throw error
  }
}

const mb = (bytes: number) => Math.ceil(bytes / 1024 ** 2)

function refuseUnusable(inputs: RunInputInFull[], maxBytes: number): void {
  for (const input of inputs) {
    if (input.status !== 'failed') continue
    throw new EngineError('failed', `The saved query ${nameOf(input)} failed: ${input.failureReason ?? 'its run was removed.'}`)
  }
  const totalBytes = inputs.reduce((total, { sizeBytes }) => total + (sizeBytes ?? 0), 0)
  if (totalBytes <= maxBytes) return
  const [largest] = inputs.toSorted((a, b) => (b.sizeBytes ?? 0) - (a.sizeBytes ?? 0))
  throw new EngineError(
    'refused',
    `The results that this query reads have ${mb(totalBytes)} MB; at most ${mb(maxBytes)} MB can be read. ` +
      `The largest is that of ${nameOf(largest!)}. Select fewer rows or columns there.`,
  )
}

function openInput(deps: RunOnInputsDeps, run: RunOnInputs, input: RunInputInFull, signal: AbortSignal): Promise<UsedFile> {
  return deps.inputFiles.use({
    key: `${run.organizationId} ${input.resultHash}`,
    async open() {
      const stored = await deps.results.open(input.inputRunId)
      if (stored) return stored
      throw new EngineError('failed', `The result of the saved query ${nameOf(input)} has expired. Run this query again.`)
    },
    signal,
  })
}

async function runOnTables(
  deps: RunOnInputsDeps,
  run: RunOnInputs,
  options: { request: RunRequest; writtenSql: string; release(): Promise<void> },
): Promise<EngineResult> {
  const { request, writtenSql } = options
  const release = () =>
    options.release().catch((error: unknown) => deps.log.warn({ err: error, runId: run.id }, 'inputs of a run not released'))
  const inWrittenSql = (error: unknown) => (error instanceof EngineError ? withWrittenSql(error, request.sql, writtenSql) : error)
  // If the run is stopped before its first row is read, nothing else releases the files.
  request.signal.addEventListener('abort', () => void release(), { once: true })
  try {
    const result = await deps.engines.engineOf(run.database).run(request)
    async function* batches(): AsyncGenerator<RowBatch> {
      try {
        yield* result.batches
      } catch (error) {
        throw inWrittenSql(error)
      } finally {
        await release()
      }
    }
    return { ...result, batches: batches() }
  } catch (error) {
    throw inWrittenSql(error)
  }
}

/** The error with the line as its author wrote it. Its position is the same in both texts. */
function withWrittenSql(error: EngineError, sql: string, writtenSql: string): EngineError {
  if (!error.position) return error
  const message = error.message.replace(excerptAt(sql, error.position), () => excerptAt(writtenSql, error.position!))
  return new EngineError(error.kind, message, { cause: error, position: error.position })
}
