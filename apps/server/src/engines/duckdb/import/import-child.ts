/**
 * The process that reads an uploaded file: `node import-child.ts <ImportRequest>`. It gets none of the service's environment and
 * works in its own empty folder. It opens the target for writing, limits DuckDB to the target and the (decompressed) source, creates
 * the table, writes one `ImportAnswer` to descriptor 3 and exits. It never outlives the service.
 */
import { realpathSync, writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { resolve } from 'node:path'
import duckdb, { type Connection } from '@duckdb/node-bindings'
import type { Column } from '../../engine.ts'
import { queryTexts } from '../read-texts.ts'
import { decoded } from './csv/decoded-file.ts'
import { readConvertedSheet, readCsvAsGiven } from './csv/read-csv-as-given.ts'
import { ImportFault } from './import-fault.ts'
import type { ImportAnswer, ImportRequest, ImportSource, Imported, SheetRequest, TableChange } from './import-file.ts'
import { incoming, mergeRows } from './merge-rows.ts'
import { readCsv, rejectOtherFormats } from './read-csv.ts'
import { readJson } from './read-json.ts'
import { isGzip, readBeginning, unpacked } from './source-file.ts'
import type { SourceReading } from './source-reading.ts'
import { convertSheet } from './xlsx/convert-sheet.ts'

const request = JSON.parse(process.argv[2]!) as ImportRequest & Partial<SheetRequest>
const { target, source, change, conversion, limits } = request

// `process.exit` would wait for DuckDB's threads.
const exitNow = () => process.kill(process.pid, 'SIGKILL')
process.stdin.on('close', exitNow).resume()
// Flush now, because this process is always killed and never exits normally.
flushCompileCache()

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`

async function importSource(): Promise<Imported> {
  const database = await duckdb.open(target).catch((error: unknown) => {
    throw new ImportFault('target', `The database cannot be opened: ${messageOf(error)}`)
  })
  const connection = await duckdb.connect(database)
  const path = source && realpathSync(await pathOf(source))
  for (const statement of boundaries(path)) await duckdb.query(connection, statement)
  const table = path ? await makeTable(connection, path) : { columns: [], rowCount: 0 }
  if (change) await changeTable(connection, change)
  const tableCount = await countTables(connection)
  // After this, everything is in one file, and the write-ahead log is empty.
  await duckdb.query(connection, 'CHECKPOINT')
  duckdb.disconnect_sync(connection)
  duckdb.close_sync(database)
  return { ...table, tableCount }
}

async function pathOf({ file, format, reading, sheet }: ImportSource): Promise<string> {
  if (format === 'xlsx') {
    const output = resolve('sheet.csv')
    await convertSheet({ file, sheet, output, maxMb: limits.fileMb })
    return output
  }
  const beginning = await readBeginning(file)
  if (format === 'parquet' && isGzip(beginning)) {
    throw new ImportFault('file', 'The file cannot be read as Parquet: it is compressed with gzip. Decompress it first.')
  }
  const plain = await unpacked(file, { beginning, maxMb: limits.fileMb })
  if (!reading) return plain
  rejectOtherFormats(await readBeginning(plain))
  return decoded(plain, reading.encoding)
}

function boundaries(path: string | undefined): string[] {
  return [
    `SET memory_limit = '${limits.memoryMb}MiB'`,
    `SET temp_directory = 'spill'`,
    `SET max_temp_directory_size = '${limits.fileMb}MiB'`,
    `SET threads = 2`,
    `SET TimeZone = 'UTC'`,
    `SET autoinstall_known_extensions = false`,
    `SET autoload_known_extensions = false`,
    `SET allow_community_extensions = false`,
    `SET allow_persistent_secrets = false`,
    `SET secret_directory = 'secrets'`,
    `SET extension_directory = 'extensions'`,
    `SET home_directory = 'home'`,
    ...(path ? [`SET allowed_paths = [${literal(path)}]`] : []),
    `SET enable_external_access = false`,
    `SET lock_configuration = true`,
  ]
}

async function makeTable(connection: Connection, path: string): Promise<Omit<Imported, 'tableCount'>> {
  const { format, table, ifExists, keys = [], reading: csvReading } = source!
  const name = identifier(table)
  const create = ifExists === 'replace' ? 'CREATE OR REPLACE TABLE' : 'CREATE TABLE'
  const existing = ifExists === 'append' || ifExists === 'upsert' ? await readColumns(connection, table) : []
  const created = existing.length > 0 ? `CREATE TEMP TABLE ${incoming}` : `${create} main.${name}`
  const reading: SourceReading = {
    path,
    async make(reader, options, { columns, where = 'true' } = { columns: '*' }) {
      // Qualified, because the database may contain a macro with the same name.
      const from = `system.main.${reader}(${[literal(path), ...options].join(', ')})`
      await duckdb.query(connection, `${created} AS SELECT ${columns} FROM ${from} WHERE ${where}`)
    },
    messageOf,
    asFault,
  }
  if (format === 'parquet') await readParquet(reading)
  else if (format === 'xlsx') await readConvertedSheet(reading, csvReading)
  else if (csvReading) await readCsvAsGiven(reading, csvReading)
  else if (format === 'csv') await readCsv(reading)
  else await readJson(reading, format)
  if (existing.length > 0) await mergeRows(connection, { table, columns: existing, keys: ifExists === 'upsert' ? keys : [] })
  return { columns: await readColumns(connection, table), rowCount: await countRows(connection, name) }
}

async function changeTable(connection: Connection, { table, newName }: TableChange): Promise<void> {
  const name = `main.${identifier(table)}`
  await duckdb.query(connection, newName === undefined ? `DROP TABLE ${name}` : `ALTER TABLE ${name} RENAME TO ${identifier(newName)}`)
}

async function readParquet({ make }: SourceReading): Promise<void> {
  try {
    await make('read_parquet', [])
  } catch (error) {
    throw asFault(error, (message) => `The file cannot be read as Parquet: ${message.split('\n\nLINE ')[0]}`)
  }
}

async function readColumns(connection: Connection, table: string): Promise<Column[]> {
  const rows = await queryTexts(
    connection,
    `SELECT column_name, data_type, CAST(is_nullable AS VARCHAR) FROM duckdb_columns()
     WHERE database_name = current_database() AND schema_name = 'main' AND lower(table_name) = lower(${literal(table)})
     ORDER BY column_index`,
  )
  return rows.map(([name, type, nullable]) => ({ name: name!, type: type!, nullable: nullable === 'true', comment: null }))
}

const countRows = (connection: Connection, name: string) =>
  readNumber(connection, `SELECT CAST(count(*) AS VARCHAR) FROM main.${name}`)

const countTables = (connection: Connection) =>
  readNumber(
    connection,
    `SELECT CAST(
       (SELECT count(*) FROM duckdb_tables() WHERE NOT internal AND database_name = current_database())
       + (SELECT count(*) FROM duckdb_views() WHERE NOT internal AND database_name = current_database()) AS VARCHAR)`,
  )

async function readNumber(connection: Connection, sql: string): Promise<number> {
  return Number((await queryTexts(connection, sql))[0]![0])
}

function messageOf(error: unknown): string {
  let message = error instanceof Error ? error.message : String(error)
  const paths = source ? [realpathSync(source.file), source.file, resolve('unpacked')] : []
  for (const path of paths) message = message.replaceAll(path, 'the file')
  if (target) message = message.replaceAll(target, 'the database file')
  return message.replaceAll(process.cwd(), 'the import folder')
}

function asFault(error: unknown, explain: (message: string) => string): ImportFault {
  if (error instanceof ImportFault) return error
  const message = messageOf(error)
  if (/^Catalog Error: .*(already exists|Existing object|is of type)/.test(message)) {
    return new ImportFault('exists', message.replace(/^Catalog Error: /, ''))
  }
  if (/^(Dependency|Catalog) Error/.test(message)) return new ImportFault('exists', message.split('\n')[0]!)
  if (/^Out of Memory Error|bad[_ ]alloc/i.test(message) || error instanceof RangeError) {
    return new ImportFault('too_large', 'Reading the file took more memory than an import may use.')
  }
  if (/File too large|No space left|Could not write/i.test(message)) {
    return new ImportFault('too_large', `The database would grow beyond ${limits.fileMb} MiB, or the disk is full.`)
  }
  return new ImportFault('file', explain(message))
}

let answer: ImportAnswer
try {
  answer = conversion ? { sheets: await convertSheet(conversion) } : { imported: await importSource() }
} catch (error) {
  const { kind, message } = asFault(error, (message) => message.split('\n')[0]!)
  answer = { fault: { kind, message } }
}
writeSync(3, JSON.stringify(answer))
exitNow()
