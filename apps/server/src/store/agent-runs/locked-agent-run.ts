import { sql } from 'kysely'
import type { AgentRun, ModelUsage } from '../../model/agent-run.ts'
import type { Tx } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storeNow } from '../store-now.ts'
import { wakes } from '../wakeups.ts'
import type { Lease } from './agent-run-leases.ts'

/** The state a run must still be in to be changed: pending, held by this worker, or abandoned because its lease expired. */
export type ExpectedState =
  | { status: 'pending' }
  | ({ status: 'held' } & Omit<Lease, 'runId'>)
  | { status: 'abandoned' }

export interface LockedAgentRun
  extends Pick<AgentRun, 'id' | 'organizationId' | 'automationId' | 'automationName' | 'chatId' | 'chatShortId' | 'trigger' | 'triggerId'> {
  attemptCount: number
  stopRequestedBy: { id: string; name: string } | null
  /** The creator of the automation; null for an answer in a chat. */
  automationCreatedBy: string | null
}

/** Locks the run against changes and its agent's writes until the transaction ends. Undefined if it is no longer in the expected state. */
export async function lockAgentRun(tx: Tx, runId: string, expected: ExpectedState): Promise<LockedAgentRun | undefined> {
  const { rows } = await sql<LockedAgentRun>`
    select run.id, run.organization_id as "organizationId", run.automation_id as "automationId",
      automation.name as "automationName", automation.created_by as "automationCreatedBy", run.chat_id as "chatId",
      chat.short_id as "chatShortId", run.trigger, run.trigger_id as "triggerId", run.attempt_count as "attemptCount",
      case when stopper.id is not null then jsonb_build_object('id', stopper.id, 'name', stopper.name) end
        as "stopRequestedBy"
    from agent_runs as run
    join chats as chat on chat.id = run.chat_id
    left join automations as automation on automation.id = run.automation_id
    left join users as stopper on stopper.id = run.stop_requested_by
    where run.id = ${runId} and ${conditionOf(expected)}
    for update of run`.execute(tx)
  return rows[0]
}

function conditionOf(expected: ExpectedState) {
  switch (expected.status) {
    case 'pending':
      return sql`run.status = 'pending'`
    case 'held':
      return sql`run.status = 'running' and run.lease_owner = ${expected.workerId} and run.lease_number = ${expected.leaseNumber}`
    case 'abandoned':
      return sql`run.status = 'running' and run.lease_expires_at <= ${storeNow}`
  }
}

export interface EndedRow {
  runId: string
  outcome: { status: 'completed'; summary: string } | { status: 'failed'; reason: string; stoppedBy: string | null }
  eventId: string | null
  usage: ModelUsage | null
  now: Date
}

/** Records the end of a run that this transaction has locked. */
export async function writeAgentRunEnd(tx: Tx, { runId, outcome, eventId, usage, now }: EndedRow): Promise<void> {
  const summary = outcome.status === 'completed' ? outcome.summary : null
  const reason = outcome.status === 'failed' ? outcome.reason : null
  const stoppedBy = outcome.status === 'failed' ? outcome.stoppedBy : null
  await sql`${prepared} ${wakes('chats')}
    update agent_runs
    set status = ${outcome.status}, ended_at = ${now}, summary = ${summary}, failure_reason = ${reason},
      event_id = ${eventId}, usage = ${usage && JSON.stringify(usage)}::jsonb, stop_requested_by = ${stoppedBy},
      lease_owner = null, lease_expires_at = null
    where id = ${runId}`.execute(tx)
}

/** Makes a run that this transaction has locked pending again. An attempt interrupted by the service itself does not count. */
export async function writeAgentRunPending(tx: Tx, options: { runId: string; countsAttempt: boolean }): Promise<void> {
  await sql`${prepared} ${wakes('agent_runs', 'chats')}
    update agent_runs
    set status = 'pending', started_at = null, lease_owner = null, lease_expires_at = null,
      attempt_count = attempt_count - ${options.countsAttempt ? 0 : 1}
    where id = ${options.runId}`.execute(tx)
}
