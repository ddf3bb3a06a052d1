import { parseRows } from '@querypost/visualization'
import { EngineError } from '../../engines/engine.ts'
import type { EngineResult, Field } from '../../model/result.ts'
import { abortAfter } from '../../ports/clock.ts'
import type { Caller } from '../../model/caller.ts'
import { countStatement } from '../cost-limits/within-cost-limits.ts'
import { Refusal } from '../refusal.ts'
import { sessionForRows } from '../row-rules/session-of.ts'
import { type DatabasesDeps, describeDatabase } from '../databases/databases.ts'
import { quoteName } from '../databases/quote-name.ts'
import { answerWithinMs } from '../databases/try-database.ts'
import { getDatabaseConfig } from '../databases/get-database-config.ts'

export interface TablePreview {
  fields: Field[]
  rows: unknown[][]
  /** Whether there are more rows than shown. */
  hasMore: boolean
}

const shownRows = 50
/** A few long texts are enough to fill a page; more rows require a query. */
const shownBytes = 1024 * 1024

/** The first rows of a table or view, read like any other query. */
export async function previewTable(
  deps: DatabasesDeps,
  caller: Caller,
  input: { configId: string; schema: string; table: string },
): Promise<TablePreview> {
  const database = await getDatabaseConfig(deps, caller, input.configId)
  const session = sessionForRows(database)
  const limit = abortAfter(deps.clock, answerWithinMs)
  try {
    const [schema, table] = [input.schema, input.table].map((name) => quoteName(database.engine, name))
    const sql = `select * from ${schema}.${table} limit ${shownRows + 1}`
    await countStatement(deps, { ...caller, personId: caller.userId }, database, sql)
    return await readPreview(await deps.engines.engineOf(database).run({ sql, signal: limit.signal, ...session }))
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    if (error.kind === 'unreachable') throw new Refusal('database_unreachable', error.message)
    const tables = await describeDatabase(deps, caller, input.configId)
    if (!tables.some(({ schema, name }) => schema === input.schema && name === input.table)) {
      throw new Refusal('table_not_found', `There is no table ${JSON.stringify(input.table)} in this database.`)
    }
    const reason = limit.signal.aborted ? `it took longer than ${answerWithinMs / 1000} seconds` : error.message
    throw new Refusal('table_unreadable', `The rows of ${input.table} cannot be shown: ${reason}`)
  } finally {
    limit.cancel()
  }
}

async function readPreview({ fields, batches }: EngineResult): Promise<TablePreview> {
  const rows: unknown[][] = []
  let sizeBytes = 0
  for await (const batch of batches) {
    for (const row of parseRows(`[${Buffer.from(batch.json).toString()}]`)) {
      sizeBytes += JSON.stringify(row).length
      if (rows.length === shownRows || sizeBytes > shownBytes) return { fields, rows, hasMore: true }
      rows.push(row)
    }
  }
  return { fields, rows, hasMore: false }
}
