import type { FigureSource, StoredResult } from '@querypost/answers'
import type { QueryServices } from '../../services.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Run } from '../../../model/run.ts'
import { rangesOf } from '../../runs/run-ranges.ts'
import { Refusal } from '../../refusal.ts'
import { openResultRows, type ResultRows } from '../../results/result-rows.ts'
import { getRun } from '../../runs/read-runs.ts'
import { sourceOf } from '../figure-source.ts'
import { bounds } from './model-limits.ts'
import type { NamedRun } from './run-names.ts'

/** Reads the result of a run that figures name. Each is read once, however often the text that names it is published. */
export type FigureResults = (run: NamedRun) => Promise<FigureResult>

export type FigureResult =
  | { result: StoredResult; source: FigureSource }
  /** Why no figure can be computed from it, for the model and for readers. */
  | { unavailable: string }

type FigureResultDeps = Pick<QueryServices, 'db' | 'clock' | 'results' | 'resultLifetimeMs'>

/** A completed run with its result. */
interface FigureRun extends Pick<Run, 'parameterTypes' | 'parameterValues' | 'runAt' | 'rowCount'> {
  source: FigureSource
  open(): Promise<ResultRows>
}

export function makeFigureResults(deps: FigureResultDeps, caller: Caller): FigureResults {
  return figureResultsFrom(async (runId) => {
    const run = await getRun(deps, caller, runId)
    return { ...run, source: sourceOf(run), open: () => openResultRows(deps, run) }
  })
}

/** `find` throws a refusal if there is no such run or result. */
export function figureResultsFrom(find: (runId: string) => Promise<FigureRun>): FigureResults {
  const reading = new Map<string, Promise<FigureResult>>()
  return (named) => {
    const known = reading.get(named.runId)
    if (known) return known
    const result = readFigureResult(find, named)
    reading.set(named.runId, result)
    return result
  }
}

async function readFigureResult(find: (runId: string) => Promise<FigureRun>, { runId, title }: NamedRun): Promise<FigureResult> {
  try {
    const run = await find(runId)
    if (run.rowCount !== null && run.rowCount > bounds.figureRows) return { unavailable: tooLarge }
    const { fields, rows: all } = await run.open()
    const rows: unknown[][] = []
    let characters = 0
    for await (const row of all) {
      for (const value of row) characters += typeof value === 'string' ? value.length : charactersOfOther
      if (characters > bounds.figureCharacters) return { unavailable: tooLarge }
      rows.push(row)
    }
    const days = Object.entries(rangesOf(run)).map(([name, { start, end }]) => ({ [`${name}.start`]: start, [`${name}.end`]: end }))
    const result = { runId, fields, rows, parameters: Object.assign({}, run.parameterValues, ...days), title }
    return { result, source: run.source }
  } catch (error) {
    if (error instanceof Refusal) return { unavailable: error.message }
    throw error
  }
}

/** Numbers, booleans and nulls take about as much memory as this many characters. */
const charactersOfOther = 4

const tooLarge = 'The result is too large to compute figures from. Aggregate in SQL.'
