import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { systemClock as clock } from '@querypost/server/ports'
import { openEmbedded, type Store } from '@querypost/server/store'
import type { Measurement } from '../report.ts'
import { runParts } from '../run-parts.ts'
import { quantile } from '../statistics.ts'

/** Measures how long statements wait while the embedded store is copied for a backup, at two sizes. */
export const benchBackup = (wanted: string[]): Promise<void> => runParts(benchmark, wanted)

interface World {
  folder: string
  close(): Promise<void>
}

async function makeWorld(): Promise<World> {
  const folder = await mkdtemp(path.join(tmpdir(), 'querypost-bench-'))
  return { folder, close: () => rm(folder, { recursive: true, force: true }) }
}

const measure = (sizeMb: number) => async ({ folder }: World): Promise<Measurement[]> => {
  const store = await openEmbedded({ folder: path.join(folder, `store-${sizeMb}`) })
  await fill(store, sizeMb)
  const alone = await waitsWhile(store, () => clock.sleep(3000))
  const target = path.join(folder, `copy-${sizeMb}`)
  const signal = new AbortController().signal
  let times = { checkpointMs: 0, heldMs: 0 }
  const startedMs = performance.now()
  const duringBackup = await waitsWhile(store, async () => {
    times = await store.embeddedFolder!.copyTo({ target, clock, signal, atThatMoment: async () => {} })
  })
  const tookMs = performance.now() - startedMs
  await store.close()
  const named = `a store of ${sizeMb} MB`
  const against = (share: number) => ({ what: 'without a backup', value: quantile(alone, share) })
  return [
    { what: `${named}: the copy, from beginning to end`, unit: 'ms', ours: tookMs },
    { what: `${named}: its checkpoint, while nobody is served`, unit: 'ms', ours: times.checkpointMs },
    { what: `${named}: its last step, while nobody is served`, unit: 'ms', ours: times.heldMs },
    { what: `${named}: a write during the backup, median`, unit: 'ms', ours: quantile(duringBackup, 0.5), ceiling: against(0.5) },
    { what: `${named}: a write during the backup, 99th percentile`, unit: 'ms', ours: quantile(duringBackup, 0.99), ceiling: against(0.99) },
    { what: `${named}: a write during the backup, the slowest`, unit: 'ms', ours: Math.max(...duringBackup), ceiling: against(1) },
  ]
}

async function fill(store: Store, sizeMb: number): Promise<void> {
  await sql`create table filled (id integer primary key, text text not null)`.execute(store.db)
  const rowsPerMb = 1000
  for (let made = 0; made < sizeMb * rowsPerMb; made += 10 * rowsPerMb) {
    await sql`insert into filled
      select n, repeat(md5(n::text), 31) from generate_series(${made + 1}::integer, ${made + 10 * rowsPerMb}::integer) as n`.execute(store.db)
  }
  await store.embeddedFolder!.checkpoint()
}

/** Measures small writes during another operation. */
async function waitsWhile(store: Store, act: () => Promise<void>): Promise<number[]> {
  const waits: number[] = []
  let isOver = false
  const acting = act().finally(() => (isOver = true))
  for (let count = 1; !isOver; count++) {
    const startedMs = performance.now()
    await sql`update filled set text = text where id = ${count * 37}`.execute(store.db)
    waits.push(performance.now() - startedMs)
    await clock.sleep(5)
  }
  await acting
  return waits
}

const benchmark = {
  name: 'backup',
  title: 'Backups of the embedded store',
  limitMinutes: 15,
  makeWorld,
  parts: { '50': measure(50), '500': measure(500) },
}
