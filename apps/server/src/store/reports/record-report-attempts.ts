import { sql } from 'kysely'
import type { ReportDeliveryRecord } from '../../model/report-work.ts'
import type { Tx } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storeNow } from '../store-now.ts'

/** Ids of deliveries. Those of `knownIds` were recorded before, under the same lease. */
export interface RecordedReportAttempts {
  newIds: ReadonlySet<string>
  knownIds: ReadonlySet<string>
}

/**
 * Records attempts in one statement, each fenced by its lease. Recording the same attempt again changes nothing. A delivery whose lease
 * is lost is in neither set.
 */
export async function recordReportAttempts(tx: Tx, records: readonly ReportDeliveryRecord[]): Promise<RecordedReportAttempts> {
  const { rows } = await sql<{ id: string; isNew: boolean }>`${prepared}
    with outcome as (
      select * from jsonb_to_recordset(${JSON.stringify(records.map(outcomeOf))}::jsonb) as outcome (
        delivery_id text, lease_number integer, state text, attempts jsonb, attempt_count integer, wait_ms double precision)),
    recorded as (
      update report_deliveries as delivery
      set recorded_lease = delivery.lease_number,
        attempts = delivery.attempts || outcome.attempts,
        attempt_count = outcome.attempt_count,
        state = outcome.state,
        next_attempt_at = ${storeNow} + wait_ms * interval '1 millisecond',
        ended_at = case when outcome.state <> 'due' then ${storeNow} end
      from outcome
      where delivery.id = outcome.delivery_id and delivery.state = 'due'
        and delivery.lease_number = outcome.lease_number and delivery.recorded_lease < outcome.lease_number
      returning delivery.id)
    select id, true as "isNew" from recorded
    union all
    select delivery.id, false
    from outcome join report_deliveries as delivery on delivery.id = outcome.delivery_id and delivery.recorded_lease = outcome.lease_number`.execute(tx)
  const idsOf = (isWanted: boolean) => new Set(rows.flatMap(({ id, isNew }) => (isNew === isWanted ? id : [])))
  return { newIds: idsOf(true), knownIds: idsOf(false) }
}

function outcomeOf({ delivery, attempt, decision, endedAgoMs }: ReportDeliveryRecord) {
  const { id, leaseNumber, attemptNumber } = delivery
  const isOver = decision.state === 'sent' || decision.state === 'failed'
  const isGivenBack = decision.state === 'given_back'
  return {
    delivery_id: id,
    lease_number: leaseNumber,
    state: isOver ? decision.state : 'due',
    attempts: attempt ? [attempt] : [],
    // Nothing was sent, so the attempt does not count.
    attempt_count: isGivenBack ? attemptNumber - 1 : attemptNumber,
    wait_ms: isOver ? null : isGivenBack ? 0 : decision.waitMs - endedAgoMs,
  }
}
