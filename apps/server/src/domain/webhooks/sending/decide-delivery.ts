import type { DeliveryDecision } from '../../../model/claimed-delivery.ts'
import type { EndpointState } from '../../../model/endpoint.ts'
import { deliveryAttemptsMax, failuresBeforeDisabling, failuresBeforeWarning, deliveryJitterShareMax, deliveryWaitsMs } from './delivery-policy.ts'

export function decideDelivery(options: {
  isSuccess: boolean
  /** 1 to 8. */
  attemptNumber: number
  /** Random, from 0 up to 1. */
  jitter: number
}): DeliveryDecision {
  if (options.isSuccess) return { state: 'delivered' }
  if (options.attemptNumber >= deliveryAttemptsMax) return { state: 'exhausted' }
  const waitMs = deliveryWaitsMs[options.attemptNumber - 1]! * (1 + deliveryJitterShareMax * options.jitter)
  return { state: 'pending', waitMs: Math.ceil(waitMs) }
}

export interface EndpointJudgment {
  consecutiveFailures: number
  isDisabledNow: boolean
  /** The notification for the endpoint's creator. */
  notice: 'endpoint_failing' | 'endpoint_disabled' | null
}

/** Called when an event has used up all its attempts against the endpoint. A disabled endpoint is not judged again. */
export function judgeExhausted(endpoint: { state: EndpointState; consecutiveFailures: number }): EndpointJudgment {
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
