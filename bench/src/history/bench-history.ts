import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import {
  atOnce,
  compareStoredResults,
  encodeDifference,
  explainRows,
  findRows,
  isWorthADifference,
  makeArchiveBytes,
  makeFilePlace,
  makeRowComparer,
  pack,
  restoreDocument,
  restoreResult,
  withRowsOfBoth,
} from '@querypost/server/history'
import type { ChainLink } from '@querypost/server/model'
import { systemClock } from '@querypost/server/ports'
import { peakGrowth } from '../api/peak-memory.ts'
import { watchChildProcess } from '../import/import-memory.ts'
import { boundGoal, type Measurement, ratioGoal } from '../report.ts'
import { runParts } from '../run-parts.ts'
import { elapsedMs } from '../statistics.ts'
import { dailyDocuments } from './daily-results.ts'

/** Measures kept results: the space of a year, the time to open one, and the comparison of two large ones. */
export const benchHistory = (wanted: string[]): Promise<void> => runParts(benchmark, wanted)

const days = Number(process.env['BENCH_HISTORY_DAYS'] ?? 365)
const comparedRows = Number(process.env['BENCH_HISTORY_ROWS'] ?? 1_000_000)

interface World {
  folder: string
  close(): Promise<void>
}

async function makeWorld(): Promise<World> {
  const folder = await mkdtemp(path.join(tmpdir(), 'querypost-bench-'))
  return { folder, close: () => rm(folder, { recursive: true, force: true }) }
}

interface Chain {
  keyBytes: number
  chainLength: number
  chainBytes: number
  links: ChainLink[]
}

const measureYear = (changes: 'one cell' | 'all cells') => async ({ folder }: World): Promise<Measurement[]> => {
  const archive = makeArchiveBytes({ places: { files: makeFilePlace({ folder: path.join(folder, changes) }) }, writeTo: 'files' })
  const chains: Chain[] = []
  let base: ReturnType<typeof rowsOf> | undefined
  let gzipBytes = 0
  let storedBytes = 0
  let cpuMicros = 0
  for (const [day, document] of numbered(dailyDocuments({ rowCount: 100_000, days, share: 0.01, changes }))) {
    if (day === 0) gzipBytes = gzipSync(document, { level: 1 }).length
    const began = process.cpuUsage()
    const chain = chains.at(-1)
    const rows = rowsOf(document)
    const difference = base && chain && (await pack(encodeDifference(base, rows)))
    const isDifference = difference !== undefined && isWorthADifference(chain!, difference.length)
    const bytes = isDifference ? difference : await pack(document)
    const { user, system } = process.cpuUsage(began)
    cpuMicros += user + system
    if (!isDifference) chains.push({ keyBytes: bytes.length, chainLength: 0, chainBytes: 0, links: [] })
    const current = chains.at(-1)!
    if (isDifference) {
      current.chainLength += 1
      current.chainBytes += bytes.length
    }
    const id = `arc_${day}`
    await archive.write({ id, bytes: Readable.from([bytes]), onUpload: async () => {} })
    const contentHash = createHash('sha256').update(document).digest('base64url')
    current.links.push({ id, place: 'files', storedBytes: bytes.length, documentBytes: document.length, contentHash })
    storedBytes += bytes.length
    base = rows
  }
  const beganOpening = process.cpuUsage()
  const open = (links: ChainLink[]) =>
    elapsedMs(async () => {
      const { bytes } = await restoreResult(restoreDocument(archive, links), { temporaryDirectory: folder })
      if (!Buffer.isBuffer(bytes)) bytes.destroy()
    })
  const longest = chains.reduce((one, other) => (other.links.length > one.links.length ? other : one))
  const longestMs = await open(longest.links)
  const { user, system } = process.cpuUsage(beganOpening)
  const oldestMs = await open(chains[0]!.links.slice(0, 1))
  const newestMs = await open(chains.at(-1)!.links)
  const what = `${days} daily results of 100,000 rows, 1 % of the rows changed each day in ${changes}`
  return [
    {
      what,
      unit: 'MB',
      ours: storedBytes / 1e6,
      ceiling: { what: 'one cached result', value: gzipBytes / 1e6 },
      goal: ratioGoal({ ours: storedBytes, ceiling: gzipBytes, atMost: 6 }),
      note: `${chains.length} chains`,
    },
    { what: 'CPU time to find and compress a difference', unit: 'CPU s', ours: cpuMicros / 1e6 / days },
    { what: 'CPU time to restore what it builds on, at most', unit: 'CPU s', ours: (user + system) / 1e6 },
    { what: 'opening the oldest', unit: 'ms', ours: oldestMs },
    { what: 'opening the newest', unit: 'ms', ours: newestMs },
    { what: `opening the last of the longest chain, ${longest.links.length} objects`, unit: 'ms', ours: longestMs, goal: boundGoal({ value: longestMs, below: 3000, unit: 'ms' }) },
  ]
}

const rowsOf = (document: Buffer) => atOnce(findRows(document))!

function* numbered<Value>(values: Iterable<Value>): Generator<[number, Value]> {
  let number = 0
  for (const value of values) yield [number++, value]
}

const stored = (bytes: Buffer) => async () => ({ sizeBytes: bytes.length, encoding: 'gzip' as const, bytes })

async function measureComparison({ folder }: World): Promise<Measurement[]> {
  const rowComparer = makeRowComparer({ temporaryDirectory: folder, clock: systemClock })
  const [from, to] = [...dailyDocuments({ rowCount: comparedRows, days: 2, share: 0.01, changes: 'one cell' })].map((document) => gzipSync(document, { level: 1 }))
  const child = watchChildProcess(process.pid, 'compare-child')
  let found = 0
  let tookMs = 0
  const grownMb = await peakGrowth(process.pid)(async () => {
    tookMs = await elapsedMs(async () => {
      const compared = await compareStoredResults({ rowComparer }, { from: stored(from!), to: stored(to!), signal: new AbortController().signal })
      for await (const line of compared.changes()) found += line.length > 0 ? 1 : 0
      if (compared.keyColumns.join() !== 'id' || found !== compared.changed) throw new Error('The comparison is wrong.')
    })
  })
  const childMb = child.stop()
  await rowComparer.close()
  const named = `${comparedRows.toLocaleString('en-US')} × ${comparedRows.toLocaleString('en-US')} rows compared, ${found.toLocaleString('en-US')} changed`
  return [
    { what: named, unit: 'ms', ours: tookMs },
    { what: 'the service’s memory grows by, at its peak', unit: 'MB', ours: grownMb, goal: boundGoal({ value: grownMb, below: 150, unit: 'MB' }) },
    { what: 'the process that compares takes, at its peak', unit: 'MB', ours: childMb, goal: boundGoal({ value: childMb, below: 1536, unit: 'MB' }) },
  ]
}

/** Explains the difference of two large results, as the page does, and compares the same two. */
async function measureWhy({ folder }: World): Promise<Measurement[]> {
  return [...(await explainLarge({ folder, share: 0.01, changed: '1 % changed' })), ...(await explainLarge({ folder, share: 3, changed: '95 % changed' }))]
}

async function explainLarge({ folder, share, changed }: { folder: string; share: number; changed: string }): Promise<Measurement[]> {
  const rowComparer = makeRowComparer({ temporaryDirectory: folder, clock: systemClock })
  const [from, to] = [...dailyDocuments({ rowCount: comparedRows, days: 2, share, changes: 'all cells' })].map((document) => gzipSync(document, { level: 1 }))
  const open = { from: stored(from!), to: stored(to!) }
  const signal = new AbortController().signal
  const comparedMs = await elapsedMs(async () => {
    const compared = await compareStoredResults({ rowComparer }, { ...open, signal })
    for await (const line of compared.changes()) if (line === '') throw new Error('The comparison is wrong.')
  })
  const child = watchChildProcess(process.pid, 'compare-child')
  let explainedMs = 0
  const grownMb = await peakGrowth(process.pid)(async () => {
    explainedMs = await elapsedMs(async () => {
      const { measures } = await withRowsOfBoth(open, (rows) => explainRows({ rowComparer }, rows, { signal }))
      if (measures.map(({ column }) => column).join() !== 'amount,items') throw new Error('The explanation is wrong.')
    })
  })
  const childMb = child.stop()
  await rowComparer.close()
  const rows = comparedRows.toLocaleString('en-US')
  return [
    {
      what: `${rows} × ${rows} rows, ${changed}: the change of 2 measures explained by key and 4 dimensions`,
      unit: 'ms',
      ours: explainedMs,
      ceiling: { what: 'the same two compared', value: comparedMs },
      goal: ratioGoal({ ours: explainedMs, ceiling: comparedMs, atMost: 3 }),
    },
    { what: 'the service’s memory grows by, at its peak', unit: 'MB', ours: grownMb, goal: boundGoal({ value: grownMb, below: 150, unit: 'MB' }) },
    { what: 'the process that explains takes, at its peak', unit: 'MB', ours: childMb, goal: boundGoal({ value: childMb, below: 800, unit: 'MB' }) },
  ]
}

const benchmark = {
  name: 'history',
  title: 'Results over time',
  limitMinutes: 15,
  makeWorld,
  parts: { cells: measureYear('one cell'), rows: measureYear('all cells'), compare: measureComparison, why: measureWhy },
}
