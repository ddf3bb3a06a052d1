import { keptMs } from '../../model/kept-times.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import {
  claimRequestKey,
  readIdempotentAnswer,
  removeOldAnswers,
  writeIdempotentAnswer,
} from '../../store/idempotency/idempotent-answers-table.ts'
import { type JoinedTransaction, openJoinedTransaction } from '../../store/joined-transaction.ts'
import { Refusal } from '../refusal.ts'
import type { Sealer } from '../sealing.ts'
import { type Sweep, sweepOf } from '../sweep-step.ts'

/**
 * A request with an *Idempotency-Key* has its effect once, however often it is sent. Its answer is stored in the transaction of the
 * effect, so there is never one without the other, and sent again to a request with the same key of the same API key.
 *
 * - A request with the same key that arrives while the first is being served waits for it.
 * - A refused request changes nothing and stores no answer, so the same key can be used again.
 */
export interface Answer {
  status: number
  etag: string | null
  body: string
}

export interface IdempotentDeps {
  db: Db
  clock: Clock
  sealer: Sealer
}

export interface IdempotentRequest {
  apiKeyId: string
  idempotencyKey: string
  /** Of everything that decides what the request does. */
  requestHash: Uint8Array
}

/** Serves a request for the first time. */
export interface FirstServing {
  enter: JoinedTransaction['enter']
  /**
   * Stores the answer and commits it with everything that the request did. Returns the answer to send, which is that of another request
   * with the same key if that one was first.
   */
  finish(answer: Answer): Promise<Answer>
  /** Leaves nothing behind. Returns the answer to send instead of the failure, if another request with the same key was first. */
  abandon(): Promise<Answer | undefined>
}

export async function beginIdempotentRequest(
  deps: IdempotentDeps,
  request: IdempotentRequest,
): Promise<{ serving: FirstServing } | { answer: Answer }> {
  const answer = await findAnswer(deps, deps.db, request)
  return answer ? { answer } : { serving: serve(deps, request) }
}

const expiredBefore = (clock: Clock) => new Date(clock.now().getTime() - keptMs.idempotentAnswers)

/** Undefined if the key is new, or its answer has expired. */
async function findAnswer({ clock, sealer }: IdempotentDeps, db: Db, request: IdempotentRequest): Promise<Answer | undefined> {
  const found = await readIdempotentAnswer(db, { ...request, createdAfter: expiredBefore(clock) })
  if (!found) return undefined
  const { requestHash, body, ...answer } = found
  if (!Buffer.from(requestHash).equals(request.requestHash)) throw reused()
  return { ...answer, body: sealer.open(body, contextOf(request)) }
}

function serve(deps: IdempotentDeps, request: IdempotentRequest): FirstServing {
  const { db, clock, sealer } = deps
  const { apiKeyId, idempotencyKey } = request
  let earlier: Answer | undefined
  const joined = openJoinedTransaction(db, {
    async onBegin(tx) {
      if (await claimRequestKey(tx, { ...request, now: clock.now(), expiredBefore: expiredBefore(clock) })) return
      earlier = await findAnswer(deps, tx, request)
      // Ends the work on this request. The earlier answer is sent in place of the refusal.
      throw reused()
    },
  })
  return {
    enter: joined.enter,
    async finish(answer) {
      const { status, etag, body } = answer
      try {
        const sealed = sealer.seal(body, contextOf(request))
        await joined.enter(() => writeIdempotentAnswer(db, { apiKeyId, idempotencyKey, status, etag, body: sealed }))
        await joined.commit()
        return answer
      } catch (error) {
        await joined.rollback()
        if (earlier) return earlier
        throw error
      }
    },
    async abandon() {
      await joined.rollback()
      return earlier
    },
  }
}

const contextOf = ({ apiKeyId, idempotencyKey }: IdempotentRequest) => `idempotent answer ${apiKeyId} ${idempotencyKey}`

const reused = () =>
  new Refusal(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request in the last 24 hours. Use a new key for each request, and the same one only to repeat it.',
  )

export function idempotentAnswerSweep(deps: { db: Db; clock: Clock }): Sweep {
  return sweepOf('idempotent_answers', (batchSize) => removeOldAnswers(deps.db, { createdBefore: expiredBefore(deps.clock), batchSize }))
}
