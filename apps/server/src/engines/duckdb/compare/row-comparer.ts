import { open, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Clock } from '../../../ports/clock.ts'
import { makeSemaphore } from '../../../ports/semaphore.ts'
import { type JobProcesses, makeJobProcesses } from '../jobs/job-processes.ts'
import { type ColumnPair, type CompareRequest, type ContributionsRequest, type Side, sides } from './compare-statements.ts'
import type { Contributions } from './contributions.ts'

export { separator, type ColumnPair, type ContributionsRequest } from './compare-statements.ts'
export type { Contributions, ContributionGroups, Sums } from './contributions.ts'
export type { ExactNumber } from './measures.ts'
export type { NumberFault } from './number-statements.ts'

/**
 * Compares the rows of two results with DuckDB in a separate process, which is kept for the next comparison for a while. Rows that do not
 * fit into its memory are spilled to the temporary folder, which is removed when the comparison is closed.
 */
export interface RowComparer {
  compare(options: CompareOptions): Promise<Comparison>
  close(): Promise<void>
}

export interface CompareOptions {
  rows: Record<Side, RowsToCompare>
  shared: ColumnPair[]
  /** Positions in `shared`; null to find the key among `candidates`. */
  key: number[] | null
  candidates: number[]
  /** If set, measures are added up instead of reading the changed rows. */
  contributions?: ContributionsRequest
  signal: AbortSignal
}

export interface RowsToCompare {
  columnCount: number
  /** Pieces of whole lines. A line has the position of a row and the JSON of its values, each after a `separator`. */
  lines(): AsyncIterable<string>
}

export interface Comparison {
  key: number[]
  /** False if there is no key, so that whole rows are compared. */
  isFound: boolean
  /** Whether the key occurs at most once on each side. */
  isUnique: boolean
  /** Rows of the earlier and the later result. */
  rowCounts: number[]
  added: number
  removed: number
  changed: number
  /** Only if they were requested. */
  contributions?: Contributions
  /** The rows as JSON text. Must be read to its end or closed. */
  changes(): AsyncGenerator<RowChange>
  close(): Promise<void>
}

export interface RowChange {
  op: 'add' | 'remove' | 'change'
  before: string | null
  after: string | null
}

/** What DuckDB holds before it spills. It takes up to 300 MB more while it sorts and groups. */
const memoryLimitMb = 320
/** Node alone counts as 640 MB of writable memory, most of which it never touches. */
const processMemoryLimitMb = 1536
const childFile = fileURLToPath(new URL('./compare-child.ts', import.meta.url))

export function makeRowComparer(options: { temporaryDirectory: string; atOnce?: number; clock: Pick<Clock, 'sleep'> }): RowComparer {
  const processes = makeJobProcesses({
    file: childFile,
    processMemoryLimitMb,
    failure: 'The results could not be compared',
    clock: options.clock,
  })
  const semaphore = makeSemaphore({ permits: options.atOnce ?? 1 })
  return {
    compare: (given) =>
      semaphore.run(async () => {
        await mkdir(options.temporaryDirectory, { recursive: true })
        const folder = await mkdtemp(path.join(path.resolve(options.temporaryDirectory), 'compare-'))
        const close = () => rm(folder, { recursive: true, force: true })
        try {
          return { ...(await compareIn(processes, folder, given)), close }
        } catch (error) {
          await close()
          throw error
        }
      }, given.signal),
    close: () => processes.close(),
  }
}

async function compareIn(processes: JobProcesses, folder: string, options: CompareOptions): Promise<Omit<Comparison, 'close'>> {
  const { rows, signal, ...rest } = options
  let lineMaxBytes = 0
  for (const side of sides) {
    const pieceMaxBytes = await writeLines(path.join(folder, `${side}.rows`), rows[side].lines(), signal)
    lineMaxBytes = Math.max(lineMaxBytes, pieceMaxBytes)
  }
  const columnCounts = { from: rows.from.columnCount, to: rows.to.columnCount }
  const request: CompareRequest = { folder, columnCounts, lineMaxBytes, memoryLimitMb, ...rest }
  await processes.run(request, signal)
  // The largest files are not needed any more.
  for (const side of sides) await rm(path.join(folder, `${side}.rows`))
  const answer = JSON.parse(await readFile(path.join(folder, 'answer.json'), 'utf8')) as Omit<Comparison, 'changes' | 'close'>
  return { ...answer, changes: () => readChanges(path.join(folder, 'changes.json')) }
}

/** Returns the size of the largest piece. */
async function writeLines(name: string, pieces: AsyncIterable<string>, signal: AbortSignal): Promise<number> {
  const file = await open(name, 'wx')
  let maxBytes = 0
  try {
    for await (const piece of pieces) {
      signal.throwIfAborted()
      const bytes = Buffer.from(piece)
      maxBytes = Math.max(maxBytes, bytes.length)
      await file.writeFile(bytes)
    }
  } finally {
    await file.close()
  }
  return maxBytes
}

async function* readChanges(name: string): AsyncGenerator<RowChange> {
  const file = await open(name)
  try {
    for await (const line of file.readLines()) if (line !== '') yield JSON.parse(line) as RowChange
  } finally {
    await file.close()
  }
}
