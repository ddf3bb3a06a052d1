import { sql } from 'kysely'
import type { AlertState } from '../../model/alert.ts'
import type { Automation, Condition, ConditionState } from '../../model/automation.ts'
import type { Db, Tx } from '../db.ts'
import { prepared } from '../prepared.ts'
import { hasNoActiveRun } from './due-times.ts'

/** An automation whose condition has a new result to evaluate. */
export interface UnevaluatedAutomation
  extends Pick<Automation, 'id' | 'organizationId' | 'name' | 'instructions' | 'agent' | 'createdBy'> {
  condition: Condition
  conditionState: ConditionState | null
  alertState: AlertState | null
  /** The watched reference. */
  referenceId: string
  title: string
  /** The query run that completed. */
  runId: string
}

/**
 * Automations with a result to evaluate: those with an alert, or those whose condition starts a `run`. The latter wait while they have an
 * active run, because the outcome may have to start one. An alert does not wait: its messages are due at once, and a run that is active
 * sees the same data. They are not locked, because reading a result takes time; `recordEvaluation` and `lockAlert` check that nothing has
 * changed. Ordered by id, after the last one read.
 */
export async function readUnevaluated(db: Db, options: { afterId: string; count: number; kind: 'alert' | 'run' }): Promise<UnevaluatedAutomation[]> {
  const isOfKind = options.kind === 'alert' ? sql`automation.condition ->> 'kind' = 'alert'` : sql`automation.condition ->> 'kind' <> 'alert' and ${hasNoActiveRun}`
  const { rows } = await sql<UnevaluatedAutomation>`${prepared}
    select automation.id, automation.organization_id as "organizationId", automation.name, automation.instructions,
      automation.agent, automation.created_by as "createdBy", automation.condition,
      automation.condition_state as "conditionState", automation.alert_state as "alertState", reference.id as "referenceId", reference.title, automation.unjudged_run_id as "runId"
    from automations as automation join query_references as reference on reference.id = automation.watched_reference_id
    where automation.unjudged_run_id is not null and automation.id > ${options.afterId}
      and ${isOfKind}
    order by automation.id
    limit ${options.count}`.execute(db)
  return rows
}

/** Records the evaluation of that run's result. False if it was already recorded or the condition has changed. */
export async function recordEvaluation(
  tx: Tx,
  options: { automationId: string; runId: string; condition: Condition; state: ConditionState },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update automations
    set condition_state = ${JSON.stringify(options.state)}::jsonb, unjudged_run_id = null
    where id = ${options.automationId} and unjudged_run_id = ${options.runId}
      and condition = ${JSON.stringify(options.condition)}::jsonb`.execute(tx)
  return numAffectedRows === 1n
}

/** The result has no effect on the condition. */
export async function clearUnevaluated(db: Db, options: { automationId: string; runId: string }): Promise<void> {
  await sql`
    update automations set unjudged_run_id = null
    where id = ${options.automationId} and unjudged_run_id = ${options.runId}`.execute(db)
}

/** Records why a condition could not be evaluated, along with its previous state. */
export async function recordConditionState(
  db: Db,
  options: { automationId: string; condition: Condition; state: ConditionState },
): Promise<void> {
  await sql`
    update automations
    set condition_state = ${JSON.stringify(options.state)}::jsonb
    where id = ${options.automationId} and condition = ${JSON.stringify(options.condition)}::jsonb`.execute(db)
}
