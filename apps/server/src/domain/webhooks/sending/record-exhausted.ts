import type { AttemptRecord } from '../../../model/claimed-delivery.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Random } from '../../../ports/random.ts'
import type { Tx } from '../../../store/db.ts'
import { countFailures, type FailingEndpoint, lockFailingEndpoint } from '../../../store/webhooks/endpoint-failures.ts'
import { setEndpointState } from '../../../store/webhooks/endpoints-table.ts'
import { recordAttempts } from '../../../store/webhooks/record-attempts.ts'
import { unnamedActor } from '../../audit/actor.ts'
import { recordAction } from '../../audit/record-action.ts'
import { notify } from '../../notifications/notify.ts'
import { endpointSubject } from '../endpoints/require-endpoint.ts'
import { type EndpointJudgment, judgeExhausted } from './decide-delivery.ts'
import { deliveryAttemptsMax, failuresBeforeDisabling } from './delivery-policy.ts'

/** Records the last attempt, the endpoint's failure count, its disabling and the notification of its creator in one transaction. */
export async function recordExhausted(
  deps: { tx: Tx; clock: Clock; random: Random },
  record: AttemptRecord,
): Promise<{ isRecorded: boolean; isDisabledNow: boolean }> {
  const { tx } = deps
  const { endpointId } = record
  const now = deps.clock.now()
  const [isRecorded] = await recordAttempts(tx, [record])
  if (!isRecorded) return { isRecorded: false, isDisabledNow: false }
  const endpoint = await lockFailingEndpoint(tx, endpointId)
  // Deleted since it was claimed.
  if (!endpoint) return { isRecorded: true, isDisabledNow: false }
  const judgment = judgeExhausted(endpoint)
  const { consecutiveFailures } = judgment
  if (consecutiveFailures !== endpoint.consecutiveFailures) await countFailures(tx, { endpointId, consecutiveFailures })
  const lastFailure = record.attempt.failure?.message ?? ''
  if (judgment.isDisabledNow) {
    await setEndpointState(tx, endpointId, { state: 'disabled', reason: disabledReason(lastFailure), now })
    await recordAction(deps, unnamedActor('service', endpoint), {
      action: 'webhook_endpoint.disabled',
      subject: endpointSubject({ id: endpointId, url: endpoint.url }),
      details: { reason: disabledReason(lastFailure), consecutiveFailures },
    })
  }
  if (judgment.notice) {
    await notify(deps, {
      organizationId: endpoint.organizationId,
      userId: endpoint.createdBy,
      kind: judgment.notice,
      message: messageOf(endpoint, judgment, lastFailure),
      link: `/settings/webhooks/${endpointId}`,
    })
  }
  return { isRecorded: true, isDisabledNow: judgment.isDisabledNow }
}

const disabledReason = (lastFailure: string) =>
  `${failuresBeforeDisabling} events in a row failed all ${deliveryAttemptsMax} attempts. Last failure: ${lastFailure}`

function messageOf(endpoint: FailingEndpoint, judgment: EndpointJudgment, lastFailure: string): string {
  const { host } = new URL(endpoint.url)
  const failed = `${judgment.consecutiveFailures} events in a row failed all ${deliveryAttemptsMax} attempts.`
  return judgment.isDisabledNow
    ? `The webhook endpoint at ${host} was disabled: ${failed} Last failure: ${lastFailure} ` +
        'Events are held for 30 days. Fix the endpoint, then enable it and send the held events.'
    : `The webhook endpoint at ${host} is failing: ${failed} Last failure: ${lastFailure} ` +
        `It will be disabled after ${failuresBeforeDisabling}.`
}
