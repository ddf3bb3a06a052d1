import {
  composeEmail,
  decideEmail,
  emailAttemptsMax,
  emailDeadlineMs,
  emailLeaseMs,
  emailTooOldMs,
} from '../domain/notifications/notification-emails.ts'
import type { ClaimedEmail, EmailOutcome } from '../model/notification.ts'
import { newId } from '../domain/ids.ts'
import { abortAfter, type Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { type Mail, MailError } from '../ports/mail.ts'
import type { Random } from '../ports/random.ts'
import type { Wakeups } from '../store/wakeups.ts'
import type { Control, WorkKind } from '../work/kind.ts'
import { makeWorker, type Worker } from '../work/worker.ts'
import type { EmailStore } from '../store/notifications/email-store.ts'

export interface MailWorkerDeps {
  emails: EmailStore
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
  const { emails, clock, log, mail } = deps
  /** When the server last rejected an e-mail temporarily, by the monotonic clock. */
  let rejectedMs = -Infinity

  async function carryOut(email: ClaimedEmail, control: Control): Promise<EmailOutcome> {
    const outcome = await attempt(email, control)
    if (outcome === 'refused_for_now') rejectedMs = clock.monotonicMs()
    return outcome
  }

  async function attempt(email: ClaimedEmail, { signal }: Control): Promise<EmailOutcome> {
    const deadline = abortAfter(clock, emailDeadlineMs)
    try {
      await mail.send(composeEmail(email, deps), AbortSignal.any([deadline.signal, signal]))
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

  const kind: WorkKind<ClaimedEmail, EmailOutcome> = {
    name: 'e-mail',
    channel: 'mail',
    lookEveryMs,
    leaseMs: emailLeaseMs,
    inHandMax: emailsAtOnce,
    claimMax: emailsAtOnce,
    async claim({ leaseMs, count }) {
      // The server is unreachable or overloaded: trying every waiting e-mail would not help.
      if (clock.monotonicMs() - rejectedMs < lookEveryMs) return { items: [], next: 'when_woken' }
      const { emails: items, checkedCount } = await emails.claim({
        leaseMs,
        keptMs: emailTooOldMs,
        attemptsMax: emailAttemptsMax,
        count,
      })
      if (checkedCount < count) return { items, next: 'when_woken' }
      return { items, next: items.length < count ? 'again' : 'with_room' }
    },
    carryOut,
    abandonment: { afterMs: 1_000, outcomeOf: () => 'not_sent' },
    recording: { batchMax: 1, atOnce: emailsAtOnce },
    async record([ended]) {
      const { item: email, outcome, agoMs } = ended!
      const isRecorded = await emails.record(email, decide(email, outcome), { endedAgoMs: agoMs })
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

const decide = ({ attemptNumber }: ClaimedEmail, outcome: EmailOutcome) => decideEmail({ outcome, attemptNumber })
