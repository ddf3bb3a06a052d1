import { sql } from 'kysely'
import type { PastFigures } from '../../model/alert.ts'
import type { Db, Tx } from '../db.ts'

export interface ResultMeasure {
  runId: string
  at: Date
  measure: string
  value: string | null
  fault: string | null
}

/** What is known of a result never changes, so writing it again changes nothing. */
export async function insertResultMeasures(
  db: Db | Tx,
  key: { organizationId: string; referenceId: string },
  measures: ResultMeasure[],
): Promise<void> {
  if (measures.length === 0) return
  await db
    .insertInto('result_measures')
    .values(
      measures.map(({ runId, at, measure, value, fault }) => ({
        reference_id: key.referenceId,
        organization_id: key.organizationId,
        run_id: runId,
        at,
        measure,
        value,
        fault,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** What is known of all results of a reference within a time, oldest first. */
export async function readResultMeasures(
  db: Db,
  key: { organizationId: string; referenceId: string; measures: string[]; from: Date; to: Date },
): Promise<ResultMeasure[]> {
  const { rows } = await sql<ResultMeasure>`
    select run_id as "runId", at, measure, value, fault from result_measures
    where reference_id = ${key.referenceId} and organization_id = ${key.organizationId}
      and measure = any (${key.measures}::text[]) and at >= ${key.from} and at <= ${key.to}
    order by at, run_id`.execute(db)
  return rows
}

/** The last figures before a time, and those around some earlier times, oldest first. */
export async function readPastFigures(
  db: Db,
  key: { organizationId: string; referenceId: string; measures: string[]; before: Date; count: number; around: { from: Date; to: Date }[] },
): Promise<PastFigures[]> {
  if (key.measures.length === 0) return []
  const ofMeasure = sql`past.reference_id = ${key.referenceId} and past.organization_id = ${key.organizationId} and past.measure = asked.measure`
  const { rows } = await sql<{ runId: string; at: Date; measure: string; value: string | null }>`
    select past.run_id as "runId", past.at, past.measure, past.value
    from unnest(${key.measures}::text[]) as asked (measure)
    cross join lateral (
      (select run_id, at, measure, value from result_measures as past
        where ${ofMeasure} and past.at < ${key.before} order by past.at desc limit ${key.count})
      union
      select run_id, past.at, measure, value from result_measures as past
      join unnest(${key.around.map(({ from }) => from.toISOString())}::timestamptz[],
        ${key.around.map(({ to }) => to.toISOString())}::timestamptz[]) as span (start_at, end_at)
        on past.at >= span.start_at and past.at <= span.end_at and past.at < ${key.before}
      where ${ofMeasure}) as past
    order by past.at, past.run_id`.execute(db)
  return groupByRun(rows)
}

export function groupByRun(rows: readonly Pick<ResultMeasure, 'runId' | 'at' | 'measure' | 'value'>[]): (PastFigures & { runId: string })[] {
  const byRun = new Map<string, PastFigures & { runId: string }>()
  for (const { runId, at, measure, value } of rows) {
    const one = byRun.get(runId) ?? { runId, at, figures: {} }
    one.figures[measure] = value
    byRun.set(runId, one)
  }
  return [...byRun.values()]
}

/** For as long as any comparison looks back. */
export async function removeOldMeasures(db: Db, options: { before: Date; batchSize: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from result_measures where ctid = any (array(
      select ctid from result_measures where at < ${options.before} limit ${options.batchSize}))`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
