import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startPostgresServer } from '@querypost/server/testing'
import { runParts } from '../run-parts.ts'
import type { References } from './create-automations.ts'
import { measureLoad } from './measure-load.ts'
import { fromFolder, fromServer } from './read-outcome.ts'

export const benchAutomations = (wanted: string[]): Promise<void> => runParts(benchmark, wanted)

interface World {
  folder: string
  close(): Promise<void>
}

async function makeWorld(): Promise<World> {
  const folder = await mkdtemp(path.join(tmpdir(), 'querypost-bench-'))
  return { folder, close: () => rm(folder, { recursive: true, force: true }) }
}

const embedded = (references: References) => (world: World) => {
  const dataDirectory = path.join(world.folder, `embedded-${references}`)
  const readOutcome = fromFolder(dataDirectory)
  return measureLoad({ store: 'embedded store', references, start: { dataDirectory }, readOutcome })
}

const onServer = (references: References) => async (world: World) => {
  const postgres = await startPostgresServer({ durable: true })
  try {
    const start = { dataDirectory: path.join(world.folder, `postgres-${references}`), databaseUrl: postgres.url }
    return await measureLoad({ store: 'PostgreSQL', references, start, readOutcome: fromServer(postgres.url) })
  } finally {
    await postgres.stop()
  }
}

const benchmark = {
  name: 'automations',
  title: 'A thousand automations due in the same minute',
  limitMinutes: 30,
  makeWorld,
  parts: {
    'embedded-shared': embedded('shared'),
    'embedded-own': embedded('own'),
    'postgres-shared': onServer('shared'),
    'postgres-own': onServer('own'),
  },
}
