import type { DeliveryDecision } from '../../../model/claimed-delivery.ts'
import type { EndpointState } from '../../../model/endpoint.ts'
import { deliveryAttemptsMax, failuresBeforeDisabling, failuresBeforeWarning, deliveryJitterShareMax, deliveryWaitsMs } from './delivery-policy.ts'

export function decideDelivery(options: {
  isSuccess: boolean
  /** 1 to 8. */
  attemptNumber: number
  /** From 0 up to 1, by chance. */
  jitter: number
}): DeliveryDecision {
  if (options.isSuccess) return { state: 'delivered' }
  if (options.attemptNumber >= deliveryAttemptsMax) return { state: 'exhausted' }
  const waitMs = deliveryWaitsMs[options.attemptNumber - 1]! * (1 + deliveryJitterShareMax * options.jitter)
  return { state: 'pending', waitMs: Math.ceil(waitMs) }
}

export interface EndpointJudgement {
  consecutiveFailures: number
  isDisabledNow: boolean
  /** What the endpoint's creator is told. */
  notice: 'endpoint_failing' | 'endpoint_disabled' | null
}

/** An event has used up all its attempts against the endpoint. A disabled one is not judged again. */
export function judgeExhausted(endpoint: { state: EndpointState; consecutiveFailures: number }): EndpointJudgement {
  if (endpoint.state === 'disabled') {
    return { consecutiveFailures: endpoint.consecutiveFailures, isDisabledNow: false, notice: null }
  }
  const consecutiveFailures = endpoint.consecutiveFailures + 1
  if (consecutiveFailures >= failuresBeforeDisabling) {
    return { consecutiveFailures, isDisabledNow: true, notice: 'endpoint_disabled' }
  }
  const isWarning = consecutiveFailures === failuresBeforeWarning
  return { consecutiveFailures, isDisabledNow: false, notice: isWarning ? 'endpoint_failing' : null }
}
