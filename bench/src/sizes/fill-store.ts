import { createHash } from 'node:crypto'
import type { Sizes } from './sizes.ts'
import { fillFunctions } from './functions.ts'
import { tablesOfAutomations } from './tables/automations.ts'
import type { FilledTable } from './tables/filled-table.ts'
import { tablesOfPeople } from './tables/people.ts'
import { tablesOfQueries } from './tables/queries.ts'
import { tablesOfRecords } from './tables/records.ts'
import { tablesOfWebhooks } from './tables/webhooks.ts'

/** One session of the store: statements without parameters, one after the other. */
export type RunStatement = (text: string) => Promise<{ rows: Record<string, unknown>[]; rowCount: number }>

/** The API key of the largest organization's admin. */
export const apiKey = `qp_live_${'1'.padEnd(40, '0')}`
export const email = 'person1@organization1.example'

/**
 * Fills a migrated, empty store. Rows are what the service would have written, but each table takes a few statements only.
 */
export async function fillStore(
  run: RunStatement,
  options: {
    sizes: Sizes
    now: Date
    passwordHash: string
    onTable?(table: string, rows: number): void
    /** After each index, and at the end. */
    onStep?(what: string): void
  },
): Promise<void> {
  const { sizes, now, passwordHash } = options
  for (const statement of fillFunctions(now)) await run(statement)
  const tables = allTables(passwordHash)
  // The rows are valid by construction; a test checks all foreign keys of a small store. Rows that triggers add are written here, too.
  await run('set session_replication_role = replica')
  const indexes = await dropIndexes(run, tables)
  for (const { table, statement } of tables) {
    const { rowCount } = await run(statement(sizes))
    options.onTable?.(table, rowCount)
  }
  for (const definition of indexes) {
    await run(definition)
    options.onStep?.(definition)
  }
  await run('set session_replication_role = origin')
  await run('vacuum (analyze)')
  options.onStep?.('vacuum')
}

const allTables = (passwordHash: string): FilledTable[] => [
  ...tablesOfPeople({ passwordHash, keyHashInSql }),
  ...tablesOfQueries,
  ...tablesOfAutomations,
  ...tablesOfRecords,
  ...tablesOfWebhooks,
]

const keyHash = createHash('sha256').update(apiKey).digest('hex')
/** Others have keys that nobody knows. */
const keyHashInSql = `case k when 1 then '\\x${keyHash}' else decode(md5('key' || k) || md5('hash' || k), 'hex') end`

/** Indexes are built when all rows are there, instead of adding each row to each. Constraints stay. Returns the definitions. */
async function dropIndexes(run: RunStatement, tables: FilledTable[]): Promise<string[]> {
  const names = [...new Set(tables.map(({ table }) => `'${table}'`))].join(', ')
  const { rows } = await run(`
    select indexes.indexname as name, indexes.indexdef as definition from pg_indexes as indexes
    where indexes.schemaname = current_schema() and indexes.tablename in (${names})
      and not exists (select from pg_constraint where conindid = to_regclass(quote_ident(indexes.indexname)))`)
  for (const { name } of rows) await run(`drop index ${String(name)}`)
  // The definition of an index on a partitioned table leaves out its partitions.
  return rows.map(({ definition }) => String(definition).replace(' ON ONLY ', ' ON '))
}
