import type { AttemptRecord } from '../../../model/claimed-delivery.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Random } from '../../../ports/random.ts'
import type { Tx } from '../../../store/db.ts'
import { countFailures, type FailingEndpoint, lockFailingEndpoint } from '../../../store/webhooks/endpoint-failures.ts'
import { setEndpointState } from '../../../store/webhooks/endpoints-table.ts'
import { recordAttempts } from '../../../store/webhooks/record-attempts.ts'
import { namelessActor } from '../../audit/actor.ts'
import { recordAction } from '../../audit/record-action.ts'
import { notify } from '../../notifications/notify.ts'
import { endpointSubject } from '../endpoints/require-endpoint.ts'
import { type EndpointJudgement, judgeExhausted } from './decide-delivery.ts'
import { deliveryAttemptsMax, failuresBeforeDisabling } from './delivery-policy.ts'

/** The last attempt, the endpoint's count, its disabling and the word to its creator: one transaction. */
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
  const judgement = judgeExhausted(endpoint)
  const { consecutiveFailures } = judgement
  if (consecutiveFailures !== endpoint.consecutiveFailures) await countFailures(tx, { endpointId, consecutiveFailures })
  const lastFailure = record.attempt.failure?.message ?? ''
  if (judgement.isDisabledNow) {
    await setEndpointState(tx, endpointId, { state: 'disabled', reason: disabledReason(lastFailure), now })
    await recordAction(deps, namelessActor('service', endpoint), {
      action: 'webhook_endpoint.disabled',
      subject: endpointSubject({ id: endpointId, url: endpoint.url }),
      details: { reason: disabledReason(lastFailure), consecutiveFailures },
    })
  }
  if (judgement.notice) {
    await notify(deps, {
      organizationId: endpoint.organizationId,
      userId: endpoint.createdBy,
      kind: judgement.notice,
      message: messageOf(endpoint, judgement, lastFailure),
      link: `/settings/webhooks/${endpointId}`,
    })
  }
  return { isRecorded: true, isDisabledNow: judgement.isDisabledNow }
}

const disabledReason = (lastFailure: string) =>
  `${failuresBeforeDisabling} events in a row failed all ${deliveryAttemptsMax} attempts. The last failure: ${lastFailure}`

function messageOf(endpoint: FailingEndpoint, judgement: EndpointJudgement, lastFailure: string): string {
  const { host } = new URL(endpoint.url)
  const failed = `${judgement.consecutiveFailures} events in a row failed all ${deliveryAttemptsMax} attempts.`
  return judgement.isDisabledNow
    ? `The webhook endpoint at ${host} was disabled: ${failed} The last failure: ${lastFailure} ` +
        'Events are held for 30 days: mend the endpoint, then enable it and send what was held.'
    : `The webhook endpoint at ${host} is failing: ${failed} The last failure: ${lastFailure} ` +
        `It is disabled after ${failuresBeforeDisabling}.`
}
