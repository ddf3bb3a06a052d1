import duckdb, { type Connection } from '@duckdb/node-bindings'
import type { Column } from '../../engine.ts'
import { queryTexts } from '../read-texts.ts'
import { ImportFault } from './import-fault.ts'
import { type MergePlan, planMerge } from './plan-merge.ts'

/** A table with the rows of the file, which exists only while they are added. */
export const incoming = 'temp.main.incoming'

const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Adds the incoming rows to a table. With key columns, they replace rows with the same values in these. */
export async function mergeRows(
  connection: Connection,
  input: { table: string; columns: Column[]; keys: string[] },
): Promise<void> {
  const plan = planMerge({ table: input.columns, file: await readIncoming(connection), keys: input.keys })
  if ('mismatch' in plan) throw new ImportFault('mismatch', plan.mismatch)
  const target = `main.${identifier(input.table)}`
  if (plan.keys.length > 0) {
    await rejectUnclearKeys(connection, plan)
    const isSame = plan.keys.map(({ table, file }) => `old.${identifier(table)} = new.${identifier(file)}`).join(' AND ')
    await duckdb.query(connection, `DELETE FROM ${target} AS old USING ${incoming} AS new WHERE ${isSame}`)
  }
  const names = plan.columns.map(({ table }) => identifier(table)).join(', ')
  const values = plan.columns.map(({ file, type }) => `CAST(${identifier(file)} AS ${type})`).join(', ')
  await duckdb.query(connection, `INSERT INTO ${target} (${names}) SELECT ${values} FROM ${incoming}`)
  await duckdb.query(connection, `DROP TABLE ${incoming}`)
}

async function readIncoming(connection: Connection): Promise<Pick<Column, 'name' | 'type'>[]> {
  const rows = await queryTexts(
    connection,
    `SELECT column_name, data_type FROM duckdb_columns()
     WHERE database_name = 'temp' AND schema_name = 'main' AND table_name = 'incoming' ORDER BY column_index`,
  )
  return rows.map(([name, type]) => ({ name: name!, type: type! }))
}

async function rejectUnclearKeys(connection: Connection, { keys }: MergePlan): Promise<void> {
  const names = keys.map(({ file }) => identifier(file))
  const isEmpty = names.map((name) => `${name} IS NULL`).join(' OR ')
  const texts = names.map((name) => `CAST(${name} AS VARCHAR)`).join(', ')
  const listed = keys.map(({ table }) => table).join(', ')
  const [empty] = await queryTexts(connection, `SELECT CAST(count(*) AS VARCHAR) FROM ${incoming} WHERE ${isEmpty}`)
  const emptyCount = Number(empty![0])
  if (emptyCount > 0) {
    const rows = emptyCount === 1 ? '1 row of the file has' : `${emptyCount} rows of the file have`
    throw new ImportFault('mismatch', `${rows} no value in a key column (${listed}). Add it, or choose other key columns.`)
  }
  const [found] = await queryTexts(
    connection,
    `SELECT CAST(count(*) AS VARCHAR), ${texts} FROM ${incoming} GROUP BY ${names.join(', ')} HAVING count(*) > 1
     ORDER BY count(*), ${texts} LIMIT 1`,
  )
  if (!found) return
  const [times, ...values] = found
  const wrong = `The file has ${String(times)} rows with the same key, ${listed} = ${values.map(String).join(', ')}`
  throw new ImportFault('mismatch', `${wrong}. Keep one of them, or choose other key columns.`)
}
