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

/** How long an answer is sent again. */
const answerKeptMs = 24 * 3600_000

/** Serves a request for the first time. */
export interface FirstServing {
  enter: JoinedTransaction['enter']
  /** Stores the answer and commits it with everything that the request did. */
  finish(answer: Answer): Promise<void>
  abandon(): Promise<void>
}

export async function beginIdempotentRequest(
  deps: IdempotentDeps,
  request: IdempotentRequest,
): Promise<{ serving: FirstServing } | { answer: Answer }> {
  const joined = await openJoinedTransaction(deps.db)
  try {
    const earlier = await joined.enter(() => findEarlierAnswer(deps, request))
    if (!earlier) return { serving: servingOf(deps, request, joined) }
    await joined.rollback()
    return { answer: earlier }
  } catch (error) {
    await joined.rollback()
    throw error
  }
}

async function findEarlierAnswer({ db, clock, sealer }: IdempotentDeps, request: IdempotentRequest): Promise<Answer | undefined> {
  const now = clock.now()
  const expiredBefore = new Date(now.getTime() - answerKeptMs)
  if (await claimRequestKey(db, { ...request, now, expiredBefore })) return undefined
  const { requestHash, body, ...answer } = await readIdempotentAnswer(db, request)
  if (!Buffer.from(requestHash).equals(request.requestHash)) throw reused()
  return { ...answer, body: sealer.open(body, contextOf(request)) }
}

function servingOf({ db, sealer }: IdempotentDeps, request: IdempotentRequest, joined: JoinedTransaction): FirstServing {
  const { apiKeyId, idempotencyKey } = request
  return {
    enter: joined.enter,
    async finish({ status, etag, body }) {
      try {
        const sealed = sealer.seal(body, contextOf(request))
        await joined.enter(() => writeIdempotentAnswer(db, { apiKeyId, idempotencyKey, status, etag, body: sealed }))
        await joined.commit()
      } catch (error) {
        await joined.rollback()
        throw error
      }
    },
    abandon: () => joined.rollback(),
  }
}

const contextOf = ({ apiKeyId, idempotencyKey }: IdempotentRequest) => `idempotent answer ${apiKeyId} ${idempotencyKey}`

const reused = () =>
  new Refusal(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request in the last 24 hours. Use a new key for each request, and the same one only to repeat it.',
  )

export function idempotentAnswerSweep(deps: { db: Db; clock: Clock }): Sweep {
  const createdBefore = new Date(deps.clock.now().getTime() - answerKeptMs)
  return sweepOf('idempotent_answers', (batchSize) => removeOldAnswers(deps.db, { createdBefore, batchSize }))
}
