import { mkdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { importFile } from '../../engines/duckdb/import/import-file.ts'
import type { FilePlace } from '../../engines/definition.ts'
import { definitionOf, type FileEngine } from '../../engines/registry/definitions.ts'
import { abortAfter } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Random } from '../../ports/random.ts'
import { insertDatabase } from '../../store/databases/databases-table.ts'
import { inTransaction } from '../../store/in-transaction.ts'
import { newId } from '../ids.ts'
import { badInput } from '../people/check-text.ts'
import { auditValue } from '../audit/changes.ts'
import { recordAction } from '../audit/record-action.ts'
import { requireAdmin } from '../access/require-admin.ts'
import type { Caller } from '../../model/caller.ts'
import { Refusal } from '../refusal.ts'
import type { AnalyticalDatabase, FileSettings, NewDatabase } from '../../model/database.ts'
import type { DatabasesDeps } from './databases.ts'
import { databaseFile, databaseFolder } from './engines.ts'
import { importLimits } from './import-limits.ts'
import { storeUpload } from './store-upload.ts'
import { answerWithinMs, testFailed, noteTest, tryEngine } from './try-database.ts'
import { nameTaken } from './get-database-config.ts'

export interface AddDatabaseDeps extends DatabasesDeps {
  random: Random
  log: Log
  dataDirectory: string
}

/** Adds a file that the operator has put in the organization's folder under DATA_DIR; without a file, an empty database. */
export async function addDatabase(
  deps: AddDatabaseDeps,
  caller: Caller,
  input: { name: string; engine: FileEngine; file?: string },
): Promise<AnalyticalDatabase> {
  requireAdmin(caller)
  const { name, engine } = input
  const place = placeOf(engine)
  if (input.file === undefined) {
    if (!place.takesTables) throw badInput('/settings/file', 'is required; a database of this kind cannot start empty')
    return addGeneratedDatabase(deps, caller, { name, engine, make: (target) => makeEmpty(deps, target) })
  }
  const file = checkFileName(input.file, place.extension)
  const absolute = databaseFile({ ...deps, organizationId: caller.organizationId, settings: { file } })
  if (!(await stat(absolute).catch(() => undefined))?.isFile()) {
    throw new Refusal('invalid_request', `There is no file ${file} in your organization's folder of databases.`, [
      { path: '/settings/file', message: `put it into DATA_DIR/databases/${caller.organizationId}/ first` },
    ])
  }
  return add(deps, caller, { name, engine, file })
}

/** Adds a file from a stream of bytes. It is accepted only if the engine can open it. */
export async function uploadDatabase(
  deps: AddDatabaseDeps,
  caller: Caller,
  input: { name: string; engine: FileEngine; bytes: Readable },
): Promise<AnalyticalDatabase> {
  requireAdmin(caller)
  const { name, engine, bytes } = input
  return addGeneratedDatabase(deps, caller, {
    name,
    engine,
    make: (file) => storeUpload({ bytes, file, maxBytes: importLimits.uploadMaxBytes }),
  })
}

/**
 * Adds a database on a file created by the service. The file has a temporary name until it is complete, and is removed if anything
 * fails.
 */
export async function addGeneratedDatabase(
  deps: AddDatabaseDeps,
  caller: Caller,
  { name, engine, make, ...rest }: { name: string; engine: FileEngine; make: (file: string) => Promise<void> } & Omit<FileSettings, 'file'>,
): Promise<AnalyticalDatabase> {
  const folder = databaseFolder({ ...deps, organizationId: caller.organizationId })
  await mkdir(folder, { recursive: true })
  const file = `${newId(deps.random, 'db')}.${placeOf(engine).extension}`
  const absolute = path.join(folder, file)
  const unfinished = `${absolute}.part`
  try {
    await make(unfinished)
    await rename(unfinished, absolute)
    return await add(deps, caller, { name, engine, file, ...rest })
  } catch (error) {
    await Promise.all([absolute, unfinished, `${unfinished}.wal`].map((each) => rm(each, { force: true })))
    throw error
  }
}

export async function makeEmpty(deps: AddDatabaseDeps, target: string): Promise<void> {
  const limit = abortAfter(deps.clock, answerWithinMs)
  const { memoryMb, fileMb } = importLimits
  try {
    const temporaryDirectory = path.join(deps.dataDirectory, 'temporary')
    await importFile({ temporaryDirectory, log: deps.log }, { target, limits: { memoryMb, fileMb } }, limit.signal)
  } finally {
    limit.cancel()
  }
}

async function add(
  deps: AddDatabaseDeps,
  caller: Caller,
  { name, engine, ...settings }: { name: string; engine: FileEngine } & FileSettings,
): Promise<AnalyticalDatabase> {
  const database: NewDatabase = {
    id: newId(deps.random, 'db'),
    organizationId: caller.organizationId,
    name,
    engine,
    settings,
    createdBy: caller.userId,
    createdAt: deps.clock.now(),
  }
  // The first query finds this engine open.
  const tried = await tryEngine(deps, engine, () => deps.engines.engineOf({ ...database, revision: 1 }))
  try {
    if (!tried.outcome.ok) throw testFailed({ path: '/settings/file', ...tried.outcome })
    await storeDatabase(deps, caller, database)
  } catch (error) {
    deps.engines.retire(database.id)
    throw error
  }
  const lastTest = await noteTest(deps, database, tried)
  return { ...database, revision: 1, tableCount: tried.tableCount, lastTest }
}

/** Stores and records a database of any engine. */
export async function storeDatabase(
  deps: Pick<AddDatabaseDeps, 'db' | 'clock' | 'random'>,
  caller: Caller,
  database: NewDatabase,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    if (!(await insertDatabase(tx, database))) throw nameTaken(database.name)
    const { id, name, engine, settings } = database
    const details = { engine, settings: auditValue(settings) }
    await recordAction({ ...deps, tx }, caller, { action: 'database.created', subject: { type: 'database', id, name }, details })
  })
}

/** A plain file name without a path: it must stay inside the organization's folder. */
function checkFileName(name: string, extension: string): string {
  if (/^[\w][\w.-]{0,199}$/.test(name) && name.endsWith(`.${extension}`)) return name
  throw new Refusal('invalid_request', `${JSON.stringify(name)} is not the name of a .${extension} file.`, [
    { path: '/settings/file', message: `must be a plain file name that ends with .${extension}` },
  ])
}

function placeOf(engine: FileEngine): FilePlace {
  const { place } = definitionOf(engine)
  if (place.on !== 'file') throw new Error(`${engine} has no files`)
  return place
}
