import type { PostAnswer } from '@querypost/server/ports'
import type { Chance } from '../chance.ts'

/** How a receiver behaves. */
export const receiverKinds = [
  'healthy',
  'slow',
  'late',
  'hangs',
  'status',
  'redirect',
  'refuses connections',
  'bad certificate',
  'cut in headers',
  'cut in body',
  'drips',
] as const
export type ReceiverKind = (typeof receiverKinds)[number]

/** A receiver's response, and the time until it is complete (null: never). */
export interface Reaction {
  afterMs: number | null
  answer: Pick<PostAnswer, 'status' | 'failure'> & { body: string; location?: string }
  /** Whether the receiver saw the request at all. */
  isReached: boolean
}

const statuses = [400, 401, 404, 408, 410, 422, 429, 500, 502, 503, 304, 100] as const
export const redirectTargets = ['https://169.254.169.254/latest/meta-data', 'https://elsewhere.example/hook'] as const

function reached(afterMs: number | null, status: number, body = 'thank you'): Reaction {
  return { afterMs, answer: { status, failure: null, body }, isReached: true }
}

export function react(kind: ReceiverKind, chance: Chance): Reaction {
  const soonMs = chance.between(2, 300)
  const failed = (failure: NonNullable<PostAnswer['failure']>, isReached: boolean): Reaction => ({
    afterMs: soonMs,
    answer: { status: null, failure, body: '' },
    isReached,
  })
  switch (kind) {
    case 'healthy':
      return reached(soonMs, chance.pick([200, 201, 202, 204, 299]))
    case 'slow':
      return reached(chance.between(2_000, 8_000), 200)
    case 'late':
      return reached(chance.between(10_500, 40_000), 200)
    case 'hangs':
    case 'drips':
      return reached(null, 200)
    case 'status':
      return reached(soonMs, chance.pick(statuses), 'no \0 thanks')
    case 'redirect':
      return {
        afterMs: soonMs,
        answer: { status: chance.pick([301, 302, 307, 308]), failure: null, body: '', location: chance.pick(redirectTargets) },
        isReached: true,
      }
    case 'refuses connections':
      return failed({ kind: 'connection_failed' }, false)
    case 'bad certificate':
      return failed({ kind: 'tls_failed', detail: 'CERT_HAS_EXPIRED' }, false)
    case 'cut in headers':
    case 'cut in body':
      return failed({ kind: 'response_broken' }, true)
  }
}
