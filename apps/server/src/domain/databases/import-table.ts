import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { CsvReading } from '../../engines/duckdb/import/csv/csv-reading.ts'
import type { ExistingTableChoice, FileFormat } from '../../engines/duckdb/import/import-file.ts'
import type { Table } from '../../engines/engine.ts'
import type { Caller } from '../../model/caller.ts'
import { newId } from '../ids.ts'
import { badInput } from '../people/check-text.ts'
import { changeDatabaseFile, type ChangeFileDeps } from './change-database-file.ts'
import { describeDatabase } from './databases.ts'
import { getWritableDatabase } from './get-writable-database.ts'
import { limitsOf } from './import-limits.ts'
import { asRefusal, checkTableName, refuseIfExists } from './import-refusals.ts'
import { storeUpload } from './store-upload.ts'

export interface TableImport {
  configId: string
  table: string
  format: FileFormat
  ifExists: ExistingTableChoice
  keys?: string[] | undefined
  reading?: CsvReading | undefined
  sheet?: string | undefined
  bytes: Readable
  /** Aborts when nobody is waiting for the answer. */
  signal: AbortSignal
}

export interface ImportedTable extends Table {
  rowCount: number
}

/** Imports an uploaded file into a database as a table, or adds its rows to one. */
export async function importTable(deps: ChangeFileDeps, caller: Caller, input: TableImport): Promise<ImportedTable> {
  const { table, format, ifExists, signal } = input
  const database = await getWritableDatabase(deps, caller, input.configId)
  checkTableName(table)
  checkChoices(input)
  // Checked before the upload, so that nobody sends gigabytes for nothing. The import itself decides.
  if (ifExists === 'refuse') refuseIfExists(table, await describeDatabase(deps, caller, database.id))
  const file = path.join(deps.dataDirectory, 'temporary', `upload-${newId(deps.random, 'db')}`)
  try {
    await storeUpload({ bytes: input.bytes, file, maxBytes: limitsOf(database, deps.importLimits).uploadMaxBytes })
    const { columns, rowCount } = await changeDatabaseFile(deps, caller, {
      database,
      signal,
      work: { source: { file, format, table, ifExists, ...given(input) } },
      audit: (imported) => ({
        action: 'database.table_imported',
        details: { table, format, ifExists, rowCount: imported.rowCount },
      }),
    })
    return { schema: 'main', name: table, kind: 'table', columns, rowEstimate: rowCount, comment: null, rowCount }
  } catch (error) {
    throw asRefusal(error, { table, wasCanceled: signal.aborted })
  } finally {
    await rm(file, { force: true })
  }
}

const given = ({ keys, reading, sheet }: TableImport) => ({
  ...(keys && { keys }),
  ...(reading && { reading }),
  ...(sheet !== undefined && { sheet }),
})

function checkChoices({ format, ifExists, keys = [], reading, sheet }: TableImport): void {
  if (ifExists === 'upsert' && keys.length === 0) throw badInput('/keys', 'must name the columns that identify a row')
  if (ifExists !== 'upsert' && keys.length > 0) throw badInput('/keys', 'is only for ifExists=upsert; remove it')
  if (reading && format !== 'csv' && format !== 'xlsx') throw badInput('/types', 'is only for CSV files and workbooks; remove it')
  if (sheet !== undefined && format !== 'xlsx') throw badInput('/sheet', 'is only for workbooks; remove it')
  if (reading && reading.decimalSign === reading.thousandsSeparator) {
    throw badInput('/thousandsSeparator', 'must differ from the decimal sign')
  }
}
