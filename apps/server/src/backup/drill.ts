import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { resultFileNames } from '../results/file-results.ts'
import { type Db, openEmbedded } from '../store/db.ts'
import { readTableFacts, type TableFacts } from '../store/read-table-facts.ts'
import { listArchiveFiles, listResultFiles } from '../store/results/list-result-files.ts'
import { BackupError, type RecordedRows } from './manifest.ts'
import { type DrillTarget, requireEmptyDatabase, restoreInto } from './restore-into.ts'
import { restore, type Restored, type RestoreOptions } from './restore.ts'

/** The outcome of a *drill*: a backup was restored elsewhere and compared with what it should contain. */
export interface Drill extends Pick<Restored, 'backup' | 'fileCount' | 'contentBytes'> {
  /** Null for a backup without the store. */
  tables: Record<string, TableFacts> | null
  /** Whether the backup says which rows it should have. */
  hasRecordedRows: boolean
  resultCount: number
  keptResultCount: number
  /** Whether the store was also restored into a PostgreSQL server. */
  isInPostgres: boolean
  /** What is missing or different; empty if the backup is good. */
  faults: string[]
}

/**
 * Restores a backup into an empty folder, as `querypost restore` does, and then checks that its parts fit together: every row can be read
 * and is the one that was backed up, and every result that the store knows is there, byte by byte. The caller removes the folder.
 * With `into`, the store is also restored into that database.
 */
export async function drill(
  options: Omit<RestoreOptions, 'isReplacing' | 'onRead'> & { resultLifetimeMs: number; into?: DrillTarget },
): Promise<Drill> {
  const { signal, config, clock, into } = options
  if (into) await requireEmptyDatabase(into)
  const recorded: { rows: RecordedRows | null } = { rows: null }
  const restored = await restore({ ...options, isReplacing: false, onRead: ({ rows }) => (recorded.rows = rows) })
  const { backup, fileCount, contentBytes } = restored
  const facts = { backup, fileCount, contentBytes, hasRecordedRows: recorded.rows !== null, isInPostgres: into !== undefined }
  if (backup.kind === 'files') {
    if (into) throw new BackupError('This backup contains no store that could be restored into PostgreSQL: the service uses a PostgreSQL server.')
    return { ...facts, tables: null, resultCount: 0, keptResultCount: 0, faults: [] }
  }
  const folder = config.dataDirectory
  const store = await openEmbedded({ folder: path.join(folder, 'store') })
  try {
    const tables = await readTableFacts(store.db, signal)
    const completedAfter = new Date(Date.parse(backup.createdAt) - options.resultLifetimeMs)
    const results = await checkResults({ db: store.db, folder, signal, completedAfter })
    const kept = await checkKeptResults({ db: store.db, folder, signal })
    const copied = into && (await restoreInto(into, { from: store.db, clock, signal }))
    const faults = [
      ...(recorded.rows ? compareRows(recorded.rows, tables) : []),
      ...results.faults,
      ...kept.faults,
      ...(copied ? compareRows(copied.before, copied.after).map((fault) => `In PostgreSQL: ${fault}`) : []),
    ]
    return { ...facts, tables, resultCount: results.count, keptResultCount: kept.count, faults }
  } finally {
    await store.close()
  }
}

/** What differs between the rows that were backed up and those that were restored, one sentence per table. */
export function compareRows(recorded: RecordedRows, restored: RecordedRows): string[] {
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(restored)])].sort()
  return names.flatMap((name) => {
    const [before, after] = [recorded[name], restored[name]]
    if (!after) return [`The table ${name} is missing.`]
    if (!before) return [`The table ${name} was not in the backup.`]
    if (before.rowCount !== after.rowCount) return [`The table ${name} has ${after.rowCount} rows instead of ${before.rowCount}.`]
    return before.hash === after.hash ? [] : [`The table ${name} has other rows than were backed up.`]
  })
}

interface Checked {
  count: number
  faults: string[]
}

async function checkResults(options: { db: Db; folder: string; signal: AbortSignal; completedAfter: Date }): Promise<Checked> {
  const checked: Checked = { count: 0, faults: [] }
  for await (const { runId, hash } of listResultFiles(options.db, options)) {
    options.signal.throwIfAborted()
    checked.count += 1
    const found = await hashOfFirst(resultFileNames(runId).map((name) => path.join(options.folder, 'results', name)))
    if (found === undefined) checked.faults.push(`The result of ${runId} is missing.`)
    else if (found !== hash) checked.faults.push(`The result of ${runId} is not the one that the run wrote.`)
  }
  return checked
}

/** Their bytes have been compared with the checksums of the archive. Here it counts that the store's list is complete. */
async function checkKeptResults({ db, folder, signal }: { db: Db; folder: string; signal: AbortSignal }): Promise<Checked> {
  const checked: Checked = { count: 0, faults: [] }
  for await (const { id, sizeBytes } of listArchiveFiles(db)) {
    signal.throwIfAborted()
    checked.count += 1
    const found = await stat(path.join(folder, 'archive', `${id}.zst`)).catch(() => undefined)
    if (!found) checked.faults.push(`The kept result ${id} is missing.`)
    else if (found.size !== sizeBytes) checked.faults.push(`The kept result ${id} has ${found.size} bytes instead of ${sizeBytes}.`)
  }
  return checked
}

/** Of the files that may have a result, one exists. */
async function hashOfFirst(files: string[]): Promise<string | undefined> {
  for (const file of files) {
    const hash = await hashOf(file)
    if (hash !== undefined) return hash
  }
  return undefined
}

async function hashOf(file: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(file), hash)
    return hash.digest('base64url')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
