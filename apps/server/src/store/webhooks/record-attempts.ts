import { sql } from 'kysely'
import type { AttemptRecord } from '../../model/claimed-delivery.ts'
import type { Db, Tx } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storeNow } from '../store-now.ts'

/**
 * Records attempts in one statement, each only under its lease and attempt number: deliveries that another worker holds, or attempts
 * that were already recorded, are left alone. A failed delivery whose endpoint has been disabled is held, unless it is a test. A
 * success resets its endpoint's failure count. Returns the ids of the recorded deliveries.
 *
 * Everything is in one JSON parameter, because the driver would escape arrays of text character by character.
 */
export async function recordAttempts(db: Db | Tx, records: AttemptRecord[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${prepared}
    with outcome as (
      select * from jsonb_to_recordset(${JSON.stringify(records.map(outcomeOf))}::jsonb) as outcome (
        delivery_id text, endpoint_id text, lease_number integer, attempt jsonb, attempt_number integer,
        state text, wait_ms double precision, ended_ago_ms double precision)
    ),
    judged as (
      select outcome.*, ${storeNow} - ended_ago_ms * interval '1 millisecond' as ended_at,
        outcome.state = 'pending' and endpoint.state = 'disabled' as is_late
      from outcome join webhook_endpoints as endpoint on endpoint.id = outcome.endpoint_id
    ),
    recorded as (
      update webhook_deliveries as delivery
      set state = case when is_late and not is_test then 'held' else judged.state end,
        attempt_count = judged.attempt_number,
        attempts = delivery.attempts || judged.attempt,
        next_attempt_at = case when not is_late or is_test then judged.ended_at + wait_ms * interval '1 millisecond' end,
        held_at = case when is_late and not is_test then judged.ended_at end,
        ended_at = case when judged.state <> 'pending' then judged.ended_at end,
        lease_owner = null, lease_expires_at = null
      from judged
      where delivery.id = judged.delivery_id and delivery.lease_number = judged.lease_number
        and delivery.attempt_count = judged.attempt_number - 1
      returning delivery.id, delivery.endpoint_id, delivery.state
    ),
    recovered as (
      update webhook_endpoints set consecutive_failures = 0
      where id in (
        select id from webhook_endpoints
        where consecutive_failures > 0 and id in (select endpoint_id from recorded where state = 'delivered')
        order by id
        for update)
    )
    select id from recorded`.execute(db)
  return rows.map(({ id }) => id)
}

const outcomeOf = ({ deliveryId, endpointId, leaseNumber, attempt, decision, endedAgoMs }: AttemptRecord) => ({
  delivery_id: deliveryId,
  endpoint_id: endpointId,
  lease_number: leaseNumber,
  attempt,
  attempt_number: attempt.number,
  state: decision.state,
  wait_ms: decision.state === 'pending' ? decision.waitMs : null,
  ended_ago_ms: endedAgoMs,
})
