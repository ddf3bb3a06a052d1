import type { Decision } from '../../../model/claimed-delivery.ts'
import type { EndpointState } from '../../../model/endpoint.ts'
import { attemptsMax, failuresBeforeDisabling, failuresBeforeWarning, jitterShareMax, waitsMs } from './policy.ts'

export function decide(options: {
  isSuccess: boolean
  /** 1 to 8. */
  attemptNumber: number
  /** From 0 up to 1, by chance. */
  jitter: number
}): Decision {
  if (options.isSuccess) return { state: 'delivered' }
  if (options.attemptNumber >= attemptsMax) return { state: 'exhausted' }
  const waitMs = waitsMs[options.attemptNumber - 1]! * (1 + jitterShareMax * options.jitter)
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
