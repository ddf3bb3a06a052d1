/**
 * The database as user SQL sees it: read-only, without access to files and network, its configuration locked.
 *
 * - A *sandbox* is one open DuckDB instance. Each statement runs on its own *connection*, which is opened before the lock
 *   (a locked configuration cannot enable the profile that counts rows) and closed after the statement. So no state of the
 *   connection (the random seed, a profile) reaches the next statement.
 * - Some table functions change the instance from inside a SELECT despite the lock: `enable_logging` would record other
 *   users' statements, or make every later statement fail. So after each statement the *witness* (all settings as one text)
 *   is compared with that of the fresh instance. If it differs or cannot be read, the sandbox is discarded.
 */
import { existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import duckdb, { type Connection } from '@duckdb/node-bindings'
import type { FileTable } from '../engine.ts'
import { allowFiles, createViews, linkFiles, unlinkFiles } from './file-tables.ts'
import { hideFile } from './hidden-file.ts'
import type { ChildSettings } from './protocol.ts'
import { readText } from './read-texts.ts'

export interface Sandbox {
  /** An unused connection; undefined when the sandbox has none left. */
  takeConnection(): Connection | undefined
  /** True when the sandbox has no connection left. */
  isUsedUp(): boolean
  /** Rows that the last statement read from tables. */
  rowsRead(): Promise<number>
  /** False once the file has been replaced or written to. */
  hasSameFile(): boolean
  /** Clears traces of the last statement. False if it changed the instance or used the last connection. */
  isReusable(): Promise<boolean>
  close(): void
}

/** Set on every connection before the configuration is locked. */
const connectionSettings = [
  // JSON errors include the exact position; see `duckdb-failure.ts`.
  `SET errors_as_json = true`,
  // Reports a statement's progress to the service, not to a terminal.
  `SET enable_progress_bar = true`,
  `SET enable_progress_bar_print = false`,
  `SET enable_profiling = 'no_output'`,
  `SET custom_profiling_settings = '{"CUMULATIVE_ROWS_SCANNED": "true"}'`,
]

function sandboxSettings(settings: ChildSettings, tables: FileTable[]): string[] {
  return [
    `SET memory_limit = '${settings.memoryLimitMb}MiB'`,
    // Relative to the working directory. DuckDB resolves the link when it records the folders it may use, so the setting
    // `allowed_directories` is the only one that still reveals a path: that of the spill folder.
    `SET temp_directory = '${spillName}'`,
    `SET max_temp_directory_size = '${settings.temporaryLimitMb}MiB'`,
    `SET threads = ${settings.threads}`,
    `SET TimeZone = 'UTC'`,
    `SET autoinstall_known_extensions = false`,
    `SET autoload_known_extensions = false`,
    `SET allow_community_extensions = false`,
    `SET allow_persistent_secrets = false`,
    `SET secret_directory = 'secrets'`,
    `SET extension_directory = 'extensions'`,
    `SET home_directory = 'home'`,
    // The profile's only metric goes to the in-memory log, because with external access off it cannot go to a file.
    `CALL enable_logging('Metrics')`,
    ...allowFiles(tables),
    `SET enable_external_access = false`,
    `SET lock_configuration = true`,
  ]
}

const spillName = 'spill'

/** Makes DuckDB spill to the child's folder. */
function linkSpillFolder(folder: string): void {
  mkdirSync(join(folder, spillName), { recursive: true })
  if (!existsSync(spillName)) symlinkSync(join(folder, spillName), spillName)
}

/** Changes when the file is replaced or rewritten: a writer in another process, or a new file moved into its place. */
function fileIdentity(file: string): string {
  const { dev, ino, size, mtimeMs } = statSync(file)
  return `${dev}:${ino}:${size}:${mtimeMs}`
}

/** `tables` can be read in addition to those of the database. A sandbox serves as many statements as it has connections. */
export async function openSandbox(
  settings: ChildSettings,
  { tables, connectionCount }: { tables: FileTable[]; connectionCount: number },
): Promise<Sandbox> {
  const identity = fileIdentity(settings.file)
  const hidden = hideFile(settings.file, { folder: settings.folder, stage: process.cwd() })
  linkSpillFolder(settings.folder)
  const config = duckdb.create_config()
  duckdb.set_config(config, 'access_mode', 'READ_ONLY')
  duckdb.set_config(config, 'allow_unsigned_extensions', 'false')
  const database = await duckdb.open(hidden.path, config).catch((error: unknown) => {
    hidden.release()
    throw error
  })
  const control = await duckdb.connect(database)
  const connections: Connection[] = []
  function close() {
    for (const connection of [...connections, control]) duckdb.disconnect_sync(connection)
    duckdb.close_sync(database)
    unlinkFiles(tables)
    hidden.release()
  }
  try {
    linkFiles(tables)
    for (let index = 0; index < connectionCount; index++) {
      const connection = await duckdb.connect(database)
      connections.push(connection)
      // In one call, because a call takes longer than one of these statements.
      await duckdb.query(connection, [...createViews(tables), ...connectionSettings].join(';'))
    }
    await duckdb.query(control, sandboxSettings(settings, tables).join(';'))
  } catch (error) {
    close()
    throw error
  }

  // Prepared once, because planning them takes longer than running them.
  const witnessStatement = await duckdb.prepare(control, `SELECT string_agg(value, ';') FROM duckdb_settings()`)
  const metricStatement = await duckdb.prepare(control, `SELECT message FROM duckdb_logs() WHERE type = 'Metrics'`)
  const truncateStatement = await duckdb.prepare(control, 'CALL truncate_duckdb_logs()')
  const readWitness = async () => readText(await duckdb.execute_prepared(witnessStatement))
  const witness = await readWitness()

  return {
    takeConnection: () => connections.pop(),
    isUsedUp: () => connections.length === 0,
    async rowsRead() {
      const message = await readText(await duckdb.execute_prepared(metricStatement))
      const found = message?.match(/CUMULATIVE_ROWS_SCANNED\D+(\d+)/)
      // A plan that reads only constants has no profile: `count(*)` of a whole table is answered from its metadata.
      return found ? Number(found[1]) : 0
    },
    hasSameFile() {
      try {
        return fileIdentity(settings.file) === identity
      } catch {
        return false
      }
    },
    async isReusable() {
      if (connections.length === 0) return false
      try {
        await duckdb.execute_prepared(truncateStatement)
        return (await readWitness()) === witness
      } catch {
        return false
      }
    },
    close,
  }
}
