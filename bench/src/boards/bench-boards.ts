import { signIn } from '../api/caller.ts'
import { makeWorld, type World } from '../api/world.ts'
import { boundGoal, type Measurement, ratioGoal } from '../report.ts'
import { runParts } from '../run-parts.ts'
import { elapsedMs, median } from '../statistics.ts'
import { takeTurns } from '../take-turns.ts'

export const benchBoards = (wanted: string[]): Promise<void> => runParts(benchmark, wanted)

const tileCount = 30
const rowCount = 10_000
const rounds = 15

type Pages = Awaited<ReturnType<typeof signIn>>

interface TileResult {
  status: string
  runId: string | null
}

/** What the page requests when a board is opened: which results it shows, then all of them at once. */
async function measureOpening(world: World): Promise<Measurement[]> {
  const pages = await signIn(world.service)
  const board = await storeBoard(world, pages, (at) => `select id + ${at} as id, measured_at, sensor, reading from measurements limit ${rowCount}`)
  await refresh(pages, board)
  const readStates = () => readResults(pages, board)
  const tiles = await readStates()
  const readRows = () => Promise.all(tiles.map(({ runId }) => pages.get(`/app/api/runs/${runId}/result`)))
  const took = await takeTurns(rounds, {
    states: () => elapsedMs(readStates),
    all: () =>
      elapsedMs(async () => {
        await readStates()
        await readRows()
      }),
  })
  const about = `board of ${tileCount} tiles, ${rowCount.toLocaleString('en-US')} stored rows each`
  const ours = median(took.all)
  return [
    { what: `${about}: which results it shows`, unit: 'ms', ours: median(took.states) },
    { what: `${about}: that and all results`, unit: 'ms', ours, goal: boundGoal({ value: ours, below: 1000, unit: 'ms' }) },
  ]
}

/** Which results a board shows, when its queries have few or many other runs. */
async function measureRuns(world: World): Promise<Measurement[]> {
  const pages = await signIn(world.service)
  const newBoard = () => storeBoard(world, pages, (at) => `select ${at} as one, {{n}} as n`, { name: 'n', type: 'number', defaultValue: '1' })
  const [few, many] = [await newBoard(), await newBoard()]
  for (const board of [few, many]) await refresh(pages, board)
  const [fewRuns, manyRuns] = [100, 100_000]
  await addRuns(world, few, fewRuns)
  await addRuns(world, many, manyRuns)
  await world.sql('analyze runs')
  const look = (board: string) => () => elapsedMs(() => readResults(pages, board))
  const took = await takeTurns(rounds * 3, { few: look(few), many: look(many) })
  const [ours, ceiling] = [median(took.many), median(took.few)]
  return [
    {
      what: `which results a board of ${tileCount} tiles shows, ${manyRuns.toLocaleString('en-US')} other runs of its queries`,
      unit: 'ms',
      ours,
      ceiling: { what: `${fewRuns} other runs`, value: ceiling },
      goal: ratioGoal({ ours, ceiling, atMost: 1.3 }),
    },
  ]
}

async function storeBoard(world: World, pages: Pages, sqlOf: (at: number) => string, parameter?: object): Promise<string> {
  const tiles: object[] = []
  for (let at = 0; at < tileCount; at++) {
    const queryId = await world.storeQuery(sqlOf(at))
    const reference = { queryId, title: `Tile ${at + 1}`, ...(parameter && { parameters: [parameter] }) }
    const { shortId } = await pages.post<{ shortId: string }>('/app/api/references', reference)
    const place = { x: (at % 3) * 4, y: Math.floor(at / 3) * 4, width: 4, height: 4 }
    tiles.push({ kind: 'reference', referenceShortId: shortId, ...place })
  }
  return (await pages.post<{ shortId: string }>('/app/api/boards', { title: 'Board', tiles })).shortId
}

const readResults = async (pages: Pages, board: string): Promise<TileResult[]> =>
  (await pages.post<{ tiles: TileResult[] }>(`/app/api/boards/${board}/results`, {})).tiles

async function refresh(pages: Pages, board: string): Promise<void> {
  await pages.post(`/app/api/boards/${board}/refresh`, {})
  for (;;) {
    const tiles = await readResults(pages, board)
    if (tiles.every(({ status }) => status === 'ready')) return
    if (tiles.some(({ status }) => status === 'failed')) throw new Error('A tile failed.')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** Completed runs of the board's queries with other values, spread over its tiles and newer than the ones it shows. */
async function addRuns(world: World, board: string, count: number): Promise<void> {
  await world.sql(
    `with latest as (
       select runs.*, row_number() over (order by runs.query_id) as tile
       from boards, jsonb_array_elements(boards.content -> 'tiles') as shown
       join query_references as reference on reference.short_id = shown ->> 'referenceShortId'
       join runs on runs.query_id = reference.query_id
       where boards.short_id = $1)
     insert into runs (id, organization_id, query_id, number, status, trigger_id, parameter_values, parameter_types, rendered_sql,
       run_at, started_at, completed_at, row_count, result_size_bytes, result_hash, created_xid, started_xid, ended_xid)
     select 'run_bench_' || $1 || '_' || n, organization_id, query_id, number + 1 + n, 'completed', trigger_id, parameter_values, parameter_types,
       rendered_sql || ' -- ' || n, run_at, started_at, completed_at, row_count, result_size_bytes, result_hash, created_xid, started_xid, ended_xid
     from generate_series(1, $2::integer) as n join latest on latest.tile = 1 + n % $3::integer`,
    [board, count, tileCount],
  )
}

const benchmark = {
  name: 'boards',
  title: 'Reading a board',
  limitMinutes: 10,
  makeWorld,
  parts: { opening: measureOpening, runs: measureRuns },
}
