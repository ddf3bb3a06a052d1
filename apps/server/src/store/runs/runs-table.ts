import { type Selectable, sql } from 'kysely'
import type { Run } from '../../model/run.ts'
import { currentTraceparent } from '../../ports/telemetry/spans.ts'
import { allRuns } from '../access/all-runs.ts'
import type { Db, Tx } from '../db.ts'
import { fixedStatement } from '../fixed-statement.ts'
import { prepared } from '../prepared.ts'
import type { Schema } from '../schema.ts'
import { currentViewer } from '../viewer.ts'
import { wakes } from '../wakeups.ts'

export const runColumns = [
  'runs.id',
  'runs.query_id',
  'runs.number',
  'runs.status',
  'runs.run_at',
  'runs.started_at',
  'runs.completed_at',
  'runs.trigger_id',
  'runs.parameter_values',
  'runs.parameter_types',
  'runs.rendered_sql',
  'runs.failure_reason',
  'runs.stop_requested_by',
  'runs.rows_read',
  'runs.rows_written',
  'runs.bytes_read',
  'runs.row_count',
  'runs.result_size_bytes',
  'runs.result_hash',
  'runs.row_count_so_far',
  'runs.progress',
  'runs.error_line',
  'runs.error_column',
] as const

type Unprefixed<Name extends string> = Name extends `runs.${infer Column}` ? Column : never
export type RunRow = Pick<Selectable<Schema['runs']>, Unprefixed<(typeof runColumns)[number]>>

export function runOfRow(row: RunRow): Run {
  return {
    id: row.id,
    queryId: row.query_id,
    number: row.number,
    status: row.status,
    runAt: row.run_at,
    startedAt: row.started_at,
    completedAt: row.completed_at,
    triggerId: row.trigger_id,
    parameterValues: row.parameter_values,
    parameterTypes: row.parameter_types,
    renderedSql: row.rendered_sql,
    failureReason: row.failure_reason,
    isStopped: row.status === 'failed' && row.stop_requested_by !== null,
    errorPosition: row.error_line === null ? null : { line: row.error_line, column: row.error_column! },
    rowsRead: row.rows_read,
    rowsWritten: row.rows_written,
    bytesRead: row.bytes_read,
    rowCount: row.row_count,
    rowCountSoFar: row.status === 'running' ? row.row_count_so_far : null,
    progress: row.status === 'running' ? row.progress : null,
    resultSizeBytes: row.result_size_bytes,
    resultHash: row.result_hash,
  }
}

export type NewRun = Pick<Run, 'id' | 'queryId' | 'triggerId' | 'parameterValues' | 'parameterTypes' | 'renderedSql' | 'runAt'> & {
  organizationId: string
  /** The bindings of row rules; see `RowBindings`. */
  rowBindings?: string | null
}

/**
 * Inserts a pending run, or nothing if the query has an unfinished one. The database decides which of two concurrent inserts
 * succeeds. Only that conflict counts as "already running"; any other, such as an existing id, is an error.
 *
 * Two concurrent inserts may choose the same number if the first run ends before the second is inserted. The second is then
 * retried with the next number.
 */
export async function insertRun(db: Db | Tx, run: NewRun): Promise<Run | undefined> {
  for (;;) {
    try {
      return await tryInsertRun(db, run)
    } catch (error) {
      // A transaction cannot continue after an error.
      if (!isNumberTaken(error) || db.isTransaction) throw error
    }
  }
}

export function isNumberTaken(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === uniqueViolation && constraint === 'runs_latest'
}

const uniqueViolation = '23505'

async function tryInsertRun(db: Db | Tx, run: NewRun): Promise<Run | undefined> {
  const insert = currentViewer() ? insertForViewer : insertForService
  const { rows } = await insert(
    db,
    run.id,
    run.organizationId,
    run.queryId,
    run.queryId,
    run.triggerId,
    JSON.stringify(run.parameterValues),
    JSON.stringify(run.parameterTypes),
    run.renderedSql,
    run.runAt,
    currentTraceparent(),
    run.rowBindings ?? null,
  )
  return rows[0] && runOfRow(rows[0])
}

/** Prepared, because planning it takes longer than inserting the row. `allRuns` names another table for a viewer, so there are two. */
const makeInsert = () =>
  fixedStatement(
    (
      _db,
      id: string,
      organizationId: string,
      queryId: string,
      numberedQueryId: string,
      triggerId: string,
      parameterValues: string,
      parameterTypes: string,
      renderedSql: string,
      runAt: Date,
      traceparent: string | null,
      rowBindings: string | null,
    ) => sql<RunRow>`${prepared} ${wakes('runs')}
      insert into runs (id, organization_id, query_id, number, status, trigger_id, parameter_values, parameter_types, rendered_sql,
        run_at, traceparent, row_bindings)
      values (${id}, ${organizationId}, ${queryId},
        (select coalesce(max(earlier.number), 0) + 1 from ${allRuns()} as earlier where earlier.query_id = ${numberedQueryId}),
        'pending', ${triggerId}, ${parameterValues}, ${parameterTypes}, ${renderedSql}, ${runAt}, ${traceparent}, ${rowBindings})
      -- The index runs_one_unfinished.
      on conflict (query_id) where status in ('pending', 'running') do nothing
      returning ${sql.join(runColumns.map((column) => sql.ref(column)))}`,
  )
const insertForService = makeInsert()
const insertForViewer = makeInsert()

export async function findRun(
  db: Db,
  key: { organizationId: string; runId: string },
): Promise<Run | undefined> {
  const row = await db
    .selectFrom('runs')
    .select(runColumns)
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.runId)
    .executeTakeFirst()
  return row && runOfRow(row)
}

/** Newest first. With `beforeNumber`, only earlier runs. */
export async function listRunsOfQuery(
  db: Db,
  key: { organizationId: string; queryId: string; count: number; beforeNumber?: number },
): Promise<Run[]> {
  const rows = await db
    .selectFrom('runs')
    .select(runColumns)
    .where('organization_id', '=', key.organizationId)
    .where('query_id', '=', key.queryId)
    .$if(key.beforeNumber !== undefined, (runs) => runs.where('number', '<', key.beforeNumber!))
    .orderBy('number', 'desc')
    .limit(key.count)
    .execute()
  return rows.map(runOfRow)
}
