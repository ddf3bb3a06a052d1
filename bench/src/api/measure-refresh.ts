import { get } from 'node:http'
import path from 'node:path'
import { boundGoal, type Measurement, ratioGoal } from '../report.ts'
import { elapsedMs, median } from '../statistics.ts'
import { takeTurns } from '../take-turns.ts'
import { startDirect, type Way } from './direct-duckdb.ts'
import { peakGrowth } from './peak-memory.ts'
import { refreshToCompletedMs } from './refresh.ts'
import { apiKey, type Service } from './service.ts'
import { millionRowsSql, smallSql, tenMillionRowsSql, type World } from './world.ts'

const smallRounds = 40
const largeRounds = 3
/** Each answer to the watcher takes 3 ms of processor time of the service, and the run needs both cores. */
const largePauseMs = 50

/** Measures the time from refresh to completion against the same SQL run directly, and the memory for a large result. */
export async function measureRefresh(world: World): Promise<Measurement[]> {
  const direct = startDirect()
  const target = path.join(world.folder, 'copy.json')
  const run = (sql: string, way: Way) => () => direct.ask({ file: world.duckdbFile, sql, way, target })
  const [smallQuery, largeQuery] = [await world.storeQuery(smallSql), await world.storeQuery(millionRowsSql)]
  await world.sql('create table bench_commits (number integer)')
  const small = await takeTurns(smallRounds, {
    ours: () => refreshToCompletedMs(world.service, smallQuery),
    direct: run(smallSql, 'rows as JSON'),
    durable: () => elapsedMs(() => leastDurable(world)),
  })
  const addedMs = median(small.ours) - median(small.direct)
  // First, before another large result has made the service grow.
  const memory = await measureMemory(world.service, { large: largeQuery, largest: await world.storeQuery(tenMillionRowsSql) })
  const large = await takeTurns(largeRounds, {
    ours: () => refreshToCompletedMs(world.service, largeQuery, largePauseMs),
    rows: run(millionRowsSql, 'rows as JSON'),
    copy: run(millionRowsSql, 'copy as JSON'),
    packed: run(millionRowsSql, 'copy as JSON, gzip'),
    chunks: run(millionRowsSql, 'chunks only'),
  })
  direct.stop()

  const oursMs = median(large.ours)
  const against = (what: string, values: number[], atMost?: number): Measurement => ({
    what: 'refresh to completed, 1,000,000 rows × 5 columns, compressed and on disk',
    unit: 'ms',
    ours: oursMs,
    ceiling: { what, value: median(values) },
    ...(atMost !== undefined && { goal: ratioGoal({ ours: oursMs, ceiling: median(values), atMost }) }),
  })
  return [
    {
      what: 'refresh to completed, 20 rows',
      note: `${addedMs.toFixed(1)} ms added`,
      unit: 'ms',
      ours: median(small.ours),
      ceiling: { what: 'DuckDB in-process, rows to JSON', value: median(small.direct) },
      goal: boundGoal({ what: 'added', value: addedMs, below: 8, unit: 'ms' }),
    },
    {
      what: 'what that adds',
      unit: 'ms',
      ours: addedMs,
      ceiling: { what: 'two commits, each on disk before the next', value: median(small.durable) },
    },
    against('DuckDB in-process, getRowsJson() and JSON.stringify', large.rows, 1.5),
    against('DuckDB COPY … (FORMAT json)', large.copy, 2),
    against('DuckDB COPY … (FORMAT json, COMPRESSION gzip)', large.packed),
    against('DuckDB in-process, chunks fetched and dropped', large.chunks),
    ...memory,
  ]
}

/** The minimum that a run writes to disk, in sequence: pending, and completed with its result. */
async function leastDurable(world: World): Promise<void> {
  await world.sql('insert into bench_commits values (1)')
  await world.sql('insert into bench_commits values (2)')
}

async function measureMemory(service: Service, { large, largest }: { large: string; largest: string }): Promise<Measurement[]> {
  const peakMb = peakGrowth(service.pid)
  const line = async (what: string, act: () => Promise<unknown>): Promise<Measurement> => {
    let tookMs = 0
    const ours = await peakMb(async () => (tookMs = await elapsedMs(act)))
    const goal = boundGoal({ value: ours, below: 150, unit: 'MB' })
    return { what: `the service's memory grows by, at its peak, ${what}`, note: `${Math.round(tookMs)} ms`, unit: 'MB', ours, goal }
  }
  return [
    await line('during a run of 1,000,000 rows', () => refreshToCompletedMs(service, large, largePauseMs)),
    await line('while that result is downloaded, as it is stored', () => download(service.port, large, 'zstd')),
    await line('while it is downloaded, packed again by the service', () => download(service.port, large, 'gzip')),
    await line('while it is downloaded, unpacked by the service', () => download(service.port, large, 'identity')),
    await line('during a run of 10,000,000 rows', () => refreshToCompletedMs(service, largest, largePauseMs)),
    await line('while that result is downloaded, as it is stored', () => download(service.port, largest, 'zstd')),
  ]
}

function download(port: number, queryId: string, encoding: string): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}`, 'accept-encoding': encoding }
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: `/api/queries/${queryId}/result`, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`The result route answered ${answer.statusCode}.`))
      answer.on('error', reject).on('end', resolve).resume()
    }).on('error', reject)
  })
}
