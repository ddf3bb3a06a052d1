import type { Table } from '../../engines/engine.ts'
import type { Caller } from '../../model/caller.ts'
import type { FileDatabase } from '../../model/database.ts'
import { Refusal } from '../refusal.ts'
import { changeDatabaseFile, type ChangeFileDeps } from './change-database-file.ts'
import { describeDatabase } from './databases.ts'
import { getWritableDatabase } from './get-writable-database.ts'
import { asRefusal, checkTableName, refuseIfExists } from './import-refusals.ts'

export interface NamedTable {
  configId: string
  schema: string
  table: string
  /** Aborts when nobody is waiting for the answer. */
  signal: AbortSignal
}

export async function deleteTable(deps: ChangeFileDeps, caller: Caller, input: NamedTable): Promise<void> {
  const { database, table } = await getChangeableTable(deps, caller, input)
  await apply(deps, caller, { ...input, database, table })
}

export async function renameTable(deps: ChangeFileDeps, caller: Caller, input: NamedTable & { newName: string }): Promise<void> {
  checkTableName(input.newName)
  const { database, table, tables } = await getChangeableTable(deps, caller, input)
  if (input.newName === table) return
  refuseIfExists(input.newName, tables.filter(({ name }) => name !== table))
  await apply(deps, caller, { ...input, database, table })
}

async function getChangeableTable(
  deps: ChangeFileDeps,
  caller: Caller,
  { configId, schema, table }: NamedTable,
): Promise<{ database: FileDatabase; table: string; tables: Table[] }> {
  const database = await getWritableDatabase(deps, caller, configId)
  const tables = await describeDatabase(deps, caller, configId)
  const found = tables.find((each) => each.schema === schema && each.name === table)
  if (!found) throw new Refusal('table_not_found', `There is no table ${JSON.stringify(table)} in this database.`)
  if (found.kind === 'view' || schema !== 'main') {
    throw new Refusal('invalid_request', 'Only tables of the schema main can be renamed and deleted here. Change others in the file itself.')
  }
  return { database, table, tables }
}

async function apply(
  deps: ChangeFileDeps,
  caller: Caller,
  { database, table, newName, signal }: NamedTable & { database: FileDatabase; newName?: string },
): Promise<void> {
  try {
    await changeDatabaseFile(deps, caller, {
      database,
      signal,
      work: { change: { table, ...(newName !== undefined && { newName }) } },
      audit: () =>
        newName === undefined
          ? { action: 'database.table_deleted', details: { table } }
          : { action: 'database.table_renamed', details: { table, newName } },
    })
  } catch (error) {
    throw asRefusal(error, { table: newName ?? table, wasCanceled: signal.aborted })
  }
}
