import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Writable } from 'node:stream'
import type { Config } from '../settings/config.ts'
import { lockDataDirectory, readSecretKey } from '../settings/data-directory.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import { openEmbedded } from '../store/db.ts'
import { readTableFacts } from '../store/read-table-facts.ts'
import { noteInBackupRecord } from './backup-record.ts'
import { type About, BackupError, type RecordedRows } from './manifest.ts'
import { finishRestore } from './put-in-place.ts'
import { requestStagedBackup } from './request-staged-backup.ts'
import { removeStaged, stageBackup, type Staged } from './stage.ts'
import { writeArchive, type Written } from './write-archive.ts'

export interface BackedUp extends Written {
  about: About
  /** Whether a running service staged the backup, and not this process. */
  wasRunning: boolean
  /** How long the service had to wait for the store. */
  waitedMs: number
}

interface BackUpOptions {
  config: Pick<Config, 'dataDirectory' | 'databaseUrl' | 'secretKey'>
  output: Writable
  clock: Clock
  random: Random
  processId: number
  signal: AbortSignal
  /** Records the number and a hash of the rows of each table, so that a drill can compare them. Takes a second pass over the store. */
  isCountingRows?: boolean
  onStaged?(): void
  onProgress?(progress: { doneBytes: number; allBytes: number }): void
}

/** Writes a backup of the data directory, whether a service runs on it or not. */
export async function backUp(options: BackUpOptions): Promise<BackedUp> {
  const { dataDirectory, databaseUrl } = options.config
  if (!existsSync(dataDirectory)) throw nothingThere(dataDirectory)
  const held = databaseUrl ? undefined : await requestStagedBackup({ dataDirectory, signal: options.signal })
  if (!held) return backUpHere(options)
  try {
    return await archive({ ...options, signal: AbortSignal.any([options.signal, held.signal]) }, held.staged, true)
  } finally {
    await held.release()
  }
}

/** For a folder that no service runs on, or that is not owned by a single process because the store is a PostgreSQL server. */
async function backUpHere(options: BackUpOptions): Promise<BackedUp> {
  const { config, clock, signal, random, processId } = options
  const { dataDirectory } = config
  const isEmbedded = config.databaseUrl === null
  if (isEmbedded) await finishRestore(dataDirectory, processId)
  const place = path.join(dataDirectory, 'store')
  if (isEmbedded && !existsSync(place)) throw nothingThere(dataDirectory)
  const unlock = isEmbedded ? await lockDataDirectory(dataDirectory, processId) : async () => {}
  try {
    const isKeyThere = config.secretKey !== null || existsSync(path.join(dataDirectory, 'secret.key'))
    const secretKey = isKeyThere
      ? await readSecretKey({ folder: dataDirectory, given: config.secretKey, random })
      : undefined
    const stage = (store?: Awaited<ReturnType<typeof openEmbedded>>) =>
      stageBackup({
        dataDirectory,
        secretKey,
        isSecretKeyGiven: config.secretKey !== null,
        clock,
        signal,
        ...(store && { store }),
      })
    const staged = isEmbedded ? await withStore(place, stage) : await stage()
    try {
      return await archive(options, staged, false)
    } finally {
      await removeStaged(staged.folder)
    }
  } finally {
    await unlock()
  }
}

async function withStore<Result>(
  folder: string,
  work: (store: Awaited<ReturnType<typeof openEmbedded>>) => Promise<Result>,
): Promise<Result> {
  const store = await openEmbedded({ folder })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

async function archive(options: BackUpOptions, staged: Staged, wasRunning: boolean): Promise<BackedUp> {
  options.onStaged?.()
  const { folder, about } = staged
  const { output, signal, onProgress } = options
  const isCounting = options.isCountingRows === true && about.kind === 'embedded'
  const countRows = () => countStagedRows(path.join(folder, 'store'), signal)
  const written = await writeArchive({ folder, about, output, signal, ...(isCounting && { countRows }), ...(onProgress && { onProgress }) })
  await noteInBackupRecord(options.config.dataDirectory, { backedUpAt: about.createdAt })
  return { ...written, about, wasRunning, waitedMs: staged.checkpointMs + staged.heldMs }
}

/** The staged store is a copy that nobody needs once it is in the archive, so it can be opened, which changes it. */
const countStagedRows = (folder: string, signal: AbortSignal): Promise<RecordedRows> =>
  withStore(folder, ({ db }) => readTableFacts(db, signal))

const nothingThere = (dataDirectory: string) =>
  new BackupError(`There is nothing to back up at DATA_DIR=${dataDirectory}. Set DATA_DIR to the service's data directory.`)
