import { sql } from 'kysely'
import type { KeptResultInFull } from '../../model/history.ts'
import type { Db } from '../db.ts'

export type ResultOnPath = Pick<KeptResultInFull, 'runId' | 'at' | 'resultHash' | 'queryId' | 'parameterValues' | 'objectId'>

/** Results before, between and after two that are compared, of which some may separate causes. */
const betweenMax = 1000
const besideMax = 50

/** Kept results of a reference from which the way between two of them may lead. At most the newest thousand between them. */
export async function readPathResults(
  db: Db,
  key: { organizationId: string; referenceId: string; from: Date; to: Date },
): Promise<ResultOnPath[]> {
  const [first, last] = key.from <= key.to ? [key.from, key.to] : [key.to, key.from]
  const read = async (condition: ReturnType<typeof sql>, order: ReturnType<typeof sql>, count: number) => {
    const { rows } = await sql<ResultOnPath>`
      select run_id as "runId", at, result_hash as "resultHash", query_id as "queryId", parameter_values as "parameterValues",
        object_id as "objectId"
      from archived_results
      where reference_id = ${key.referenceId} and organization_id = ${key.organizationId}
        and removed_at is null and object_id is not null and ${condition}
      order by at ${order}, run_id ${order} limit ${count}`.execute(db)
    return rows
  }
  const between = await read(sql`at between ${first} and ${last}`, sql`desc`, betweenMax)
  const after = await read(sql`at > ${last}`, sql`asc`, besideMax)
  return [...between, ...after]
}

/** The SQL of stored queries by their ids. Deleted ones are missing. */
export async function readSqlOfQueries(db: Db, options: { organizationId: string; queryIds: string[] }): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('queries')
    .select(['id', 'sql'])
    .where('organization_id', '=', options.organizationId)
    .where('id', 'in', options.queryIds)
    .execute()
  return new Map(rows.map(({ id, sql: text }) => [id, text]))
}
