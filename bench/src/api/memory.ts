import path from 'node:path'
import { openConnection, requestMessage } from '../load/connection.ts'
import { type Measurement, ratioGoal } from '../report.ts'
import { type FilledOrganization, fillOrganization } from './fill-lists.ts'
import { readKb } from './peak-memory.ts'
import { startService } from './service.ts'
import type { World } from './world.ts'

const pagesAtOnce = 8
const quarters = 4
const requestsPerQuarter = 2000
const limit = 100

/**
 * Compares the resident memory of a process that pages through 200,000 queries and references with one that reads as many pages of a
 * thousand. Measured after each quarter of the work, to show growth.
 */
export async function measureMemory(world: World): Promise<Measurement[]> {
  const small = await fillOrganization(world, { name: 'few', size: 1000 })
  const large = await fillOrganization(world, { name: 'lots', size: 200_000 })
  const ofSmall = await readPages(world, small)
  const ofLarge = await readPages(world, large)
  const last = quarters - 1
  const requests = (quarters * requestsPerQuarter).toLocaleString('en-US')
  return [
    {
      what: `Resident memory after ${requests} pages of ${limit}, of 200,000 items`,
      note: `after each quarter: ${series(ofLarge)}; of 1,000 items: ${series(ofSmall)}`,
      unit: 'MB',
      ours: ofLarge[last]!,
      ceiling: { what: 'of 1,000 items', value: ofSmall[last]! },
      goal: ratioGoal({ ours: ofLarge[last]!, ceiling: ofSmall[last]!, atMost: 1.25 }),
    },
    {
      what: `Resident memory after ${requests} pages, of 200,000 items`,
      unit: 'MB',
      ours: ofLarge[last]!,
      ceiling: { what: 'after the first quarter of them', value: ofLarge[0]! },
      goal: ratioGoal({ ours: ofLarge[last]!, ceiling: ofLarge[0]!, atMost: 1.25 }),
    },
  ]
}

const series = (mbs: number[]) => mbs.map((mb) => mb.toFixed(0)).join(', ')

/** Uses a new process each time, because a process keeps memory that it once took. */
async function readPages(world: World, { key }: FilledOrganization): Promise<number[]> {
  const service = await startService({ dataDirectory: path.join(world.folder, `memory-${key}`), databaseUrl: world.databaseUrl })
  try {
    const residentMb: number[] = []
    const readers = await Promise.all(Array.from({ length: pagesAtOnce }, (_, index) => openReader({ port: service.port, key, index })))
    for (let quarter = 0; quarter < quarters; quarter += 1) {
      await Promise.all(readers.map((read) => read(requestsPerQuarter / pagesAtOnce)))
      residentMb.push(readKb(service.pid, 'VmRSS') / 1024)
    }
    return residentMb
  } finally {
    await service.stop()
  }
}

/** Reads page after page, and starts over after the last. */
async function openReader({ port, key, index }: { port: number; key: string; index: number }) {
  const connection = await openConnection({ port, keepsBodies: true })
  const list = index % 2 === 0 ? '/api/queries/refs' : '/api/queries'
  let cursor: string | null = null
  return async (count: number): Promise<void> => {
    for (let page = 0; page < count; page += 1) {
      const after: string = cursor === null ? '' : `&cursor=${cursor}`
      const { status, body } = await connection.request(requestMessage({ path: `${list}?limit=${limit}${after}`, key }))
      if (status !== 200) throw new Error(`A page answered ${status}: ${body.toString()}`)
      cursor = (JSON.parse(body.toString()) as { nextCursor?: string | null }).nextCursor ?? null
    }
  }
}
