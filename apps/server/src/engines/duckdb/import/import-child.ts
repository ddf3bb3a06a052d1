/**
 * The process in which a file that somebody sent is read: `node import-child.ts <ImportRequest>`, with no environment
 * and an empty folder of its own. It opens the target for writing, lets DuckDB reach nothing but the target and the
 * source, makes the table, writes one `ImportAnswer` to descriptor 3 and ends. It never outlives the service.
 */
import { closeSync, openSync, readSync, realpathSync, writeSync } from 'node:fs'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { Column } from '../../engine.ts'
import { csvFault, csvOptions, encodingOf, plainOptions, readFirstLine } from './csv.ts'
import { ImportFault, type ImportAnswer, type ImportRequest, type Imported } from './import-file.ts'

const request = JSON.parse(process.argv[2]!) as ImportRequest
const { target, source, limits } = request

// Not `process.exit`: it would wait for DuckDB's threads.
const leave = () => process.kill(process.pid, 'SIGKILL')
process.stdin.on('close', leave).resume()

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`

async function importSource(): Promise<Imported> {
  const instance = await DuckDBInstance.create(target).catch((error: unknown) => {
    throw new ImportFault('target', `The database cannot be opened: ${wordsOf(error)}`)
  })
  const connection = await instance.connect()
  for (const statement of boundaries()) await connection.run(statement)
  const table = source ? await makeTable(connection, source) : { columns: [], rowCount: 0 }
  const tableCount = await countTables(connection)
  // All of it is in the one file then, with nothing left in a log beside it.
  await connection.run('CHECKPOINT')
  connection.closeSync()
  instance.closeSync()
  return { ...table, tableCount }
}

function boundaries(): string[] {
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
    ...(source ? [`SET allowed_paths = [${literal(realpathSync(source.file))}]`] : []),
    `SET enable_external_access = false`,
    `SET lock_configuration = true`,
  ]
}

async function makeTable(
  connection: DuckDBConnection,
  from: NonNullable<ImportRequest['source']>,
): Promise<Omit<Imported, 'tableCount'>> {
  const file = literal(realpathSync(from.file))
  const name = identifier(from.table)
  const create = from.ifExists === 'replace' ? 'CREATE OR REPLACE TABLE' : 'CREATE TABLE'
  // Qualified, since the database may hold a macro of the same name.
  const make = (reader: string) => connection.run(`${create} main.${name} AS SELECT * FROM system.main.${reader}`)
  if (from.format === 'parquet') await makeFromParquet(() => make(`read_parquet(${file})`))
  else await makeFromCsv(connection, { file, path: from.file, make })
  return { columns: await readColumns(connection, from.table), rowCount: await countRows(connection, name) }
}

async function makeFromParquet(make: () => Promise<unknown>): Promise<void> {
  try {
    await make()
  } catch (error) {
    throw asFault(error, (words) => `The file cannot be read as Parquet: ${words.split('\n\nLINE ')[0]}`)
  }
}

async function makeFromCsv(
  connection: DuckDBConnection,
  { file, path, make }: { file: string; path: string; make: (reader: string) => Promise<unknown> },
): Promise<void> {
  const bytes = readBeginning(path)
  refuseOtherFormats(bytes)
  const encoding = encodingOf(bytes)
  const beginning = new TextDecoder(encoding === 'utf-16' ? 'utf-16le' : 'utf-8').decode(bytes)
  const firstLine = readFirstLine(beginning)
  const reader = (options: string[]) => `read_csv(${[file, ...options].join(', ')})`
  const options = csvOptions(firstLine, encoding)
  try {
    await make(reader(options))
  } catch (first) {
    // Types are guessed from the first lines. Where a later one does not fit, all lines are looked at before the file
    // is refused.
    if (!wordsOf(first).startsWith('Conversion Error')) throw await explain(first)
    await make(reader([...options, 'sample_size = -1'])).catch(async (error: unknown) => {
      throw await explain(error)
    })
  }

  /** Where DuckDB only says that it cannot make sense of the file, reading it line by line tells which line is odd. */
  async function explain(error: unknown): Promise<ImportFault> {
    if (!wordsOf(error).includes('Error when sniffing file')) return asFault(error, csvFault)
    try {
      const plain = reader(plainOptions(firstLine, encoding))
      await connection.run(`SELECT count(*) FROM (SELECT * FROM system.main.${plain})`)
    } catch (found) {
      return asFault(found, csvFault)
    }
    const message = 'The file cannot be read as CSV: its lines do not follow one pattern of columns and quotes.'
    return new ImportFault('file', message)
  }
}

/** What people mistake for CSV has its own first bytes. */
function refuseOtherFormats(beginning: Uint8Array): void {
  const mark = Buffer.from(beginning.subarray(0, 4)).toString('latin1')
  if (mark === '') throw new ImportFault('file', 'The file is empty.')
  if (mark === 'PAR1') throw new ImportFault('file', 'This is a Parquet file. Send it as one.')
  if (mark === 'PK\u0003\u0004') {
    throw new ImportFault('file', 'This is a workbook or a zip archive. Save the sheet as CSV and send that.')
  }
  if (mark.startsWith('\u001f\u008b')) {
    throw new ImportFault('file', 'This file is compressed with gzip. Unpack it first.')
  }
}

function readBeginning(path: string): Uint8Array {
  const bytes = Buffer.alloc(1024 * 1024)
  const descriptor = openSync(path, 'r')
  try {
    return bytes.subarray(0, readSync(descriptor, bytes))
  } finally {
    closeSync(descriptor)
  }
}

async function readColumns(connection: DuckDBConnection, table: string): Promise<Column[]> {
  const reader = await connection.runAndReadAll(
    `SELECT column_name, data_type, is_nullable FROM duckdb_columns()
     WHERE database_name = current_database() AND schema_name = 'main' AND lower(table_name) = lower(${literal(table)})
     ORDER BY column_index`,
  )
  return reader.getRows().map(([name, type, nullable]) => ({
    name: name as string,
    type: type as string,
    nullable: nullable as boolean,
  }))
}

const countRows = (connection: DuckDBConnection, name: string) =>
  readNumber(connection, `SELECT count(*) FROM main.${name}`)

const countTables = (connection: DuckDBConnection) =>
  readNumber(
    connection,
    `SELECT (SELECT count(*) FROM duckdb_tables() WHERE NOT internal AND database_name = current_database())
          + (SELECT count(*) FROM duckdb_views() WHERE NOT internal AND database_name = current_database())`,
  )

async function readNumber(connection: DuckDBConnection, sql: string): Promise<number> {
  return Number((await connection.runAndReadAll(sql)).getRows()[0]![0])
}

function wordsOf(error: unknown): string {
  let message = error instanceof Error ? error.message : String(error)
  if (source) message = message.replaceAll(realpathSync(source.file), 'the file').replaceAll(source.file, 'the file')
  return message.replaceAll(target, 'the database file')
}

function asFault(error: unknown, explain: (words: string) => string): ImportFault {
  if (error instanceof ImportFault) return error
  const words = wordsOf(error)
  if (/^Catalog Error: .*(already exists|Existing object|is of type)/.test(words)) {
    return new ImportFault('exists', words.replace(/^Catalog Error: /, ''))
  }
  if (/^(Dependency|Catalog) Error/.test(words)) return new ImportFault('exists', words.split('\n')[0]!)
  if (/^Out of Memory Error|bad[_ ]alloc/i.test(words) || error instanceof RangeError) {
    return new ImportFault('too_large', 'Reading the file took more memory than an import is allowed.')
  }
  if (/File too large|No space left|Could not write/i.test(words)) {
    return new ImportFault('too_large', `The database would grow beyond ${limits.fileMb} MiB, or the disk is full.`)
  }
  return new ImportFault('file', explain(words))
}

let answer: ImportAnswer
try {
  answer = { imported: await importSource() }
} catch (error) {
  const { kind, message } = asFault(error, (words) => words.split('\n')[0]!)
  answer = { fault: { kind, message } }
}
writeSync(3, JSON.stringify(answer))
leave()
