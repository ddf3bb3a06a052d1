import { sql } from 'kysely'
import type { Run, RunInput, RunInputInFull } from '../../model/run.ts'
import type { Db, Tx } from '../db.ts'
import { inTransaction } from '../in-transaction.ts'
import { insertRun, isNumberTaken, type NewRun } from './runs-table.ts'
import { isWaitingRun, letRunWait } from './waiting-runs.ts'

export type ChosenInput = Pick<RunInput, 'referenceId' | 'parameterValues' | 'inputRunId'>

/** Inserts a pending run with its inputs, or nothing if the query has an unfinished run. It starts once all inputs have ended. */
export async function insertRunWithInputs(db: Db | Tx, run: NewRun, inputs: ChosenInput[]): Promise<Run | undefined> {
  for (;;) {
    try {
      return await inTransaction(db, async (tx) => {
        const inserted = await insertRun(tx, run)
        if (inserted) await insertInputs(tx, run, inputs)
        return inserted
      })
    } catch (error) {
      if (!isNumberTaken(error) || db.isTransaction) throw error
    }
  }
}

/** Like `letRunWait`, for a run with inputs. */
export function letRunWithInputsWait(db: Db | Tx, run: NewRun, inputs: ChosenInput[]): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    if (!(await letRunWait(tx, run))) return false
    const { isOwn } = await tx.selectNoFrom(isWaitingRun(run.id).as('isOwn')).executeTakeFirstOrThrow()
    if (isOwn) await insertInputs(tx, run, inputs)
    return true
  })
}

/** The lock on an unfinished input makes the statement that ends it wait for this transaction, so its trigger sees the new row. */
async function insertInputs(tx: Tx, run: NewRun, inputs: ChosenInput[]): Promise<void> {
  const inputRunIds = inputs.map(({ inputRunId }) => inputRunId)
  await sql`select id from waiting_runs where id = any(${inputRunIds}::text[]) order by id for share`.execute(tx)
  await sql`select id from runs where id = any(${inputRunIds}::text[]) order by id for share`.execute(tx)
  await sql`
    insert into run_inputs (run_id, position, organization_id, reference_id, parameter_values, input_run_id, status, result_hash)
    select ${run.id}, given.position, ${run.organizationId}, given.reference_id, given.parameter_values::jsonb, given.input_run_id,
      case when input.status in ('completed', 'failed') then input.status else 'waiting' end, input.result_hash
    from unnest(
      ${inputs.map(({ referenceId }) => referenceId)}::text[],
      ${inputs.map(({ parameterValues }) => JSON.stringify(parameterValues))}::text[],
      ${inputRunIds}::text[]
    ) with ordinality as given (reference_id, parameter_values, input_run_id, position)
    left join runs as input on input.id = given.input_run_id and input.organization_id = ${run.organizationId}`.execute(tx)
}

/** In the order in which the SQL first names them. */
export async function readRunInputs(db: Db, key: { organizationId: string; runId: string }): Promise<RunInputInFull[]> {
  return db
    .selectFrom('run_inputs as input')
    .innerJoin('query_references as reference', 'reference.id', 'input.reference_id')
    .leftJoin('runs as run', 'run.id', 'input.input_run_id')
    .select([
      'input.position',
      'input.reference_id as referenceId',
      'input.parameter_values as parameterValues',
      'input.input_run_id as inputRunId',
      'input.status',
      'input.result_hash as resultHash',
      'reference.short_id as shortId',
      'reference.title',
      'run.completed_at as completedAt',
      'run.result_size_bytes as sizeBytes',
      'run.row_count as rowCount',
      'run.failure_reason as failureReason',
    ])
    .where('input.organization_id', '=', key.organizationId)
    .where('input.run_id', '=', key.runId)
    .orderBy('input.position')
    .execute()
}
