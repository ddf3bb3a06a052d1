import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { EngineError, type Table } from '../../engines/engine.ts'
import { abortAfter, type Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import { findDatabase, insertDatabase, listDatabases as readDatabases } from '../../store/databases/databases.ts'
import { isId, newId } from '../ids.ts'
import { type Caller, requireAdmin } from '../people/caller.ts'
import { Refusal } from '../refusal.ts'
import type { AnalyticalDatabase } from './database.ts'
import { databaseFile, databaseFolder, type Engines } from './engines.ts'

export interface DatabasesDeps {
  db: Db
  clock: Clock
  random: Random
  engines: Engines
  dataDirectory: string
}

export function listDatabases(deps: DatabasesDeps, caller: Caller): Promise<AnalyticalDatabase[]> {
  return readDatabases(deps.db, caller.organizationId)
}

/** Adds a DuckDB file that the operator has put into the organization's folder under DATA_DIR. */
export async function addDatabase(
  deps: DatabasesDeps,
  caller: Caller,
  input: { name: string; file: string },
): Promise<AnalyticalDatabase> {
  requireAdmin(caller)
  const file = checkFileName(input.file)
  const absolute = databaseFile({ ...deps, organizationId: caller.organizationId, settings: { file } })
  if (!(await stat(absolute).catch(() => undefined))?.isFile()) {
    throw new Refusal('invalid_request', `There is no file ${file} in your organization's folder of databases.`, [
      { path: '/settings/file', message: `put it into DATA_DIR/databases/${caller.organizationId}/ first` },
    ])
  }
  return add(deps, caller, { name: input.name, file })
}

/** Adds a DuckDB file from a stream of its bytes. It counts only when the engine can open it. */
export async function uploadDatabase(
  deps: DatabasesDeps,
  caller: Caller,
  input: { name: string; bytes: Readable },
): Promise<AnalyticalDatabase> {
  requireAdmin(caller)
  const folder = databaseFolder({ ...deps, organizationId: caller.organizationId })
  await mkdir(folder, { recursive: true })
  const file = `${newId(deps.random, 'db')}.duckdb`
  const absolute = path.join(folder, file)
  try {
    await pipeline(input.bytes, createWriteStream(`${absolute}.part`, { flags: 'wx' }))
    await rename(`${absolute}.part`, absolute)
    return await add(deps, caller, { name: input.name, file })
  } catch (error) {
    await Promise.all([rm(absolute, { force: true }), rm(`${absolute}.part`, { force: true })])
    throw error
  }
}

async function add(deps: DatabasesDeps, caller: Caller, input: { name: string; file: string }) {
  const database: AnalyticalDatabase = {
    id: newId(deps.random, 'db'),
    organizationId: caller.organizationId,
    name: input.name,
    engine: 'duckdb',
    settings: { file: input.file },
    createdBy: caller.userId,
    createdAt: deps.clock.now(),
  }
  const fault = await tryToOpen(deps, database)
  if (fault) {
    throw new Refusal('invalid_request', `The database could not be opened: ${fault}`, [
      { path: '/settings/file', message: fault },
    ])
  }
  if (!(await insertDatabase(deps.db, database))) {
    throw new Refusal('invalid_request', `Your organization already has a database named ${JSON.stringify(input.name)}.`, [
      { path: '/name', message: 'is taken; choose another' },
    ])
  }
  return database
}

async function tryToOpen(deps: DatabasesDeps, database: AnalyticalDatabase): Promise<string | undefined> {
  const engine = deps.engines.openApart(database)
  const limit = abortAfter(deps.clock, testTimeoutMs)
  try {
    await engine.test(limit.signal)
    return undefined
  } catch (error) {
    if (error instanceof EngineError) return error.message
    throw error
  } finally {
    limit.cancel()
    await engine.close()
  }
}

export type TestOutcome = { ok: true; durationMs: number } | { ok: false; message: string }

/** Tries a stored database out and says what came of it. */
export async function testDatabase(deps: DatabasesDeps, caller: Caller, configId: string): Promise<TestOutcome> {
  requireAdmin(caller)
  const database = await wantDatabase(deps, caller, configId)
  const startedMs = deps.clock.monotonicMs()
  const fault = await tryToOpen(deps, database)
  return fault === undefined
    ? { ok: true, durationMs: Math.round(deps.clock.monotonicMs() - startedMs) }
    : { ok: false, message: fault }
}

export async function describeDatabase(deps: DatabasesDeps, caller: Caller, configId: string): Promise<Table[]> {
  const database = await wantDatabase(deps, caller, configId)
  const engine = deps.engines.engineOf(database)
  const limit = abortAfter(deps.clock, testTimeoutMs)
  try {
    return await engine.describe(limit.signal)
  } catch (error) {
    if (error instanceof EngineError) throw new Refusal('database_unreachable', error.message)
    throw error
  } finally {
    limit.cancel()
  }
}

async function wantDatabase(deps: DatabasesDeps, caller: Caller, configId: string): Promise<AnalyticalDatabase> {
  const { organizationId } = caller
  const database = isId(configId) ? await findDatabase(deps.db, { organizationId, configId }) : undefined
  if (!database) throw new Refusal('database_not_found', `There is no database ${JSON.stringify(configId)}.`)
  return database
}

const testTimeoutMs = 15_000

/** A plain name, no path: it must stay inside the organization's folder. */
function checkFileName(name: string): string {
  if (/^[\w][\w.-]{0,199}$/.test(name) && name.endsWith('.duckdb')) return name
  throw new Refusal('invalid_request', `${JSON.stringify(name)} is not the name of a DuckDB file.`, [
    { path: '/settings/file', message: 'must be a plain file name that ends with .duckdb' },
  ])
}
