import {
  composeLetter,
  decideLetter,
  letterAttemptsMax,
  letterDeadlineMs,
  letterLeaseMs,
  letterTooOldMs,
} from '../domain/notifications/notification-letters.ts'
import type { ClaimedLetter, LetterOutcome } from '../model/notification.ts'
import { newId } from '../domain/ids.ts'
import { abortAfter, type Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { type Mail, MailError } from '../ports/mail.ts'
import type { Random } from '../ports/random.ts'
import type { Wakeups } from '../store/wakeups.ts'
import type { Control, WorkKind } from '../work/kind.ts'
import { makeWorker, type Worker } from '../work/worker.ts'
import type { LetterStore } from '../store/notifications/letter-store.ts'

export interface MailWorkerDeps {
  letters: LetterStore
  clock: Clock
  random: Random
  log: Log
  wakeups: Wakeups
  mail: Mail
  baseUrl: string
}

const lookEveryMs = 15_000
/** All e-mails of a claim are sent in parallel, so that no lease expires while an e-mail waits for its turn. */
const emailsAtOnce = 5

/** E-mails as a kind of work. */
export function makeMailWorker(deps: MailWorkerDeps): Worker {
  const { letters, clock, log, mail } = deps
  /** When the server last rejected an e-mail temporarily, by the monotonic clock. */
  let rejectedMs = -Infinity

  async function carryOut(email: ClaimedLetter, control: Control): Promise<LetterOutcome> {
    const outcome = await attempt(email, control)
    if (outcome === 'refused_for_now') rejectedMs = clock.monotonicMs()
    return outcome
  }

  async function attempt(email: ClaimedLetter, { signal }: Control): Promise<LetterOutcome> {
    const deadline = abortAfter(clock, letterDeadlineMs)
    try {
      await mail.send(composeLetter(email, deps), AbortSignal.any([deadline.signal, signal]))
      return 'taken'
    } catch (error) {
      if (signal.aborted) return 'not_sent'
      const isFinal = error instanceof MailError && error.isFinal
      log.warn({ err: error, notificationId: email.id, isFinal }, 'e-mail attempt failed')
      return isFinal ? 'refused_for_good' : 'refused_for_now'
    } finally {
      deadline.cancel()
    }
  }

  const kind: WorkKind<ClaimedLetter, LetterOutcome> = {
    name: 'e-mail',
    channel: 'mail',
    lookEveryMs,
    leaseMs: letterLeaseMs,
    inHandMax: emailsAtOnce,
    claimMax: emailsAtOnce,
    async claim({ leaseMs, count }) {
      // The server is unreachable or overloaded: trying every waiting e-mail would not help.
      if (clock.monotonicMs() - rejectedMs < lookEveryMs) return { items: [], next: 'when_woken' }
      const { letters: items, lookedAtCount } = await letters.claim({
        leaseMs,
        keptMs: letterTooOldMs,
        attemptsMax: letterAttemptsMax,
        count,
      })
      if (lookedAtCount < count) return { items, next: 'when_woken' }
      return { items, next: items.length < count ? 'again' : 'with_room' }
    },
    carryOut,
    abandonment: { afterMs: 1_000, outcomeOf: () => 'not_sent' },
    recording: { batchMax: 1, atOnce: emailsAtOnce },
    async record([ended]) {
      const { item: email, outcome, agoMs } = ended!
      const isRecorded = await letters.record(email, decide(email, outcome), { endedAgoMs: agoMs })
      return new Set(isRecorded ? [email.id] : [])
    },
    onRecorded({ item: email, outcome }, isRecorded) {
      const next = decide(email, outcome).state
      const line = { notificationId: email.id, attemptNumber: email.attemptNumber, next }
      if (!isRecorded) log.warn(line, 'e-mail may have been sent twice: recorded by another worker')
      else if (next === 'failed') log.error(line, 'e-mail abandoned after final attempt')
      else log.info(line, 'e-mail attempted')
    },
  }
  return makeWorker(kind, { ...deps, workerId: newId(deps.random, 'worker') })
}

const decide = ({ attemptNumber }: ClaimedLetter, outcome: LetterOutcome) => decideLetter({ outcome, attemptNumber })
