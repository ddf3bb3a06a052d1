/** A DuckDB file for tests, created by the given statements, and an engine on it. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import duckdb from '@duckdb/node-bindings'
import { systemClock } from '../../src/ports/clock.ts'
import type { Log } from '../../src/ports/log.ts'
import type { Engine } from '../../src/engines/engine.ts'
import { openDuckdbEngine, type DuckdbOptions } from '../../src/engines/duckdb/duckdb-engine.ts'

export interface Fixture {
  engine: Engine
  folder: string
  file: string
  temporaryDirectory: string
  /** The process that ran the last statement, as logged. */
  lastPid(): number
  release(): Promise<void>
}

export async function writeDatabase(file: string, statements: string[]): Promise<void> {
  const database = await duckdb.open(file)
  const connection = await duckdb.connect(database)
  for (const statement of statements) await duckdb.query(connection, statement)
  duckdb.disconnect_sync(connection)
  duckdb.close_sync(database)
}

export async function openFixture(statements: string[], options: Partial<DuckdbOptions> = {}): Promise<Fixture> {
  const folder = await mkdtemp(join(tmpdir(), 'querypost-'))
  const file = join(folder, 'sample.duckdb')
  await writeDatabase(file, statements)
  const temporaryDirectory = join(folder, 'temporary')
  await mkdir(temporaryDirectory)
  let pid = 0
  const note = (line: unknown) => {
    if (typeof line === 'object' && line !== null && 'pid' in line) pid = line.pid as number
  }
  const log: Log = { debug: note, info: note, warn: note, error: note, fatal: note }
  const engine = openDuckdbEngine({ file, temporaryDirectory, clock: systemClock, log, ...options })
  return {
    engine,
    folder,
    file,
    temporaryDirectory,
    lastPid: () => pid,
    release: () => rm(folder, { recursive: true, force: true }),
  }
}
