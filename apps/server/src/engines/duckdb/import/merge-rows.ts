import type { DuckDBConnection } from '@duckdb/node-api'
import type { Column } from '../../engine.ts'
import { ImportFault } from './import-fault.ts'
import { type MergePlan, planMerge } from './plan-merge.ts'

/** A table with the rows of the file, which exists only while they are added. */
export const incoming = 'temp.main.incoming'

const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Adds the incoming rows to a table. With key columns, they replace rows with the same values in these. */
export async function mergeRows(
  connection: DuckDBConnection,
  input: { table: string; columns: Column[]; keys: string[] },
): Promise<void> {
  const plan = planMerge({ table: input.columns, file: await readIncoming(connection), keys: input.keys })
  if ('mismatch' in plan) throw new ImportFault('mismatch', plan.mismatch)
  const target = `main.${identifier(input.table)}`
  if (plan.keys.length > 0) {
    await rejectUnclearKeys(connection, plan)
    const isSame = plan.keys.map(({ table, file }) => `old.${identifier(table)} = new.${identifier(file)}`).join(' AND ')
    await connection.run(`DELETE FROM ${target} AS old USING ${incoming} AS new WHERE ${isSame}`)
  }
  const names = plan.columns.map(({ table }) => identifier(table)).join(', ')
  const values = plan.columns.map(({ file, type }) => `CAST(${identifier(file)} AS ${type})`).join(', ')
  await connection.run(`INSERT INTO ${target} (${names}) SELECT ${values} FROM ${incoming}`)
  await connection.run(`DROP TABLE ${incoming}`)
}

async function readIncoming(connection: DuckDBConnection): Promise<Pick<Column, 'name' | 'type'>[]> {
  const reader = await connection.runAndReadAll(
    `SELECT column_name, data_type FROM duckdb_columns()
     WHERE database_name = 'temp' AND schema_name = 'main' AND table_name = 'incoming' ORDER BY column_index`,
  )
  return reader.getRows().map(([name, type]) => ({ name: name as string, type: type as string }))
}

async function rejectUnclearKeys(connection: DuckDBConnection, { keys }: MergePlan): Promise<void> {
  const names = keys.map(({ file }) => identifier(file))
  const isEmpty = names.map((name) => `${name} IS NULL`).join(' OR ')
  const texts = names.map((name) => `CAST(${name} AS VARCHAR)`).join(', ')
  const listed = keys.map(({ table }) => table).join(', ')
  const empty = await connection.runAndReadAll(`SELECT count(*) FROM ${incoming} WHERE ${isEmpty}`)
  const emptyCount = Number(empty.getRows()[0]![0])
  if (emptyCount > 0) {
    const rows = emptyCount === 1 ? '1 row of the file has' : `${emptyCount} rows of the file have`
    throw new ImportFault('mismatch', `${rows} no value in a key column (${listed}). Add it, or choose other key columns.`)
  }
  const repeated = await connection.runAndReadAll(
    `SELECT count(*), ${texts} FROM ${incoming} GROUP BY ${names.join(', ')} HAVING count(*) > 1 ORDER BY ALL LIMIT 1`,
  )
  const [found] = repeated.getRows()
  if (!found) return
  const [times, ...values] = found
  const wrong = `The file has ${String(times)} rows with the same key, ${listed} = ${values.map(String).join(', ')}`
  throw new ImportFault('mismatch', `${wrong}. Keep one of them, or choose other key columns.`)
}
