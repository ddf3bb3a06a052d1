import {
  type ClaimedLetter,
  composeLetter,
  decideLetter,
  letterDeadlineMs,
  letterLeaseMs,
  type LetterOutcome,
  letterTooOldMs,
} from '../domain/notifications/letters.ts'
import { abortAfter, type Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { type Mail, MailError } from '../ports/mail.ts'
import type { Db } from '../store/db.ts'
import { claimLetters, recordLetter } from '../store/notifications/letters.ts'
import type { Wakeups } from '../store/wakeups.ts'
import { keepDoing } from './repeat.ts'

export interface MailWorkerDeps {
  db: Db
  clock: Clock
  log: Log
  wakeups: Wakeups
  mail: Mail
  baseUrl: string
}

const lookEveryMs = 15_000
/**
 * All that are claimed together are sent at the same time, so that no lease runs out while a letter waits for its turn.
 */
const claimMax = 5

/**
 * Sends the letters that are due: when woken, and now and then. The queue is in the store; any number of processes
 * share it.
 */
export function makeMailWorker(deps: MailWorkerDeps) {
  const { db, clock, log, mail } = deps
  const interruption = new AbortController()
  let isStopping = false

  async function sendAll() {
    while (!isStopping) {
      const now = clock.now()
      const { letters, lookedAtCount } = await claimLetters(db, {
        now,
        leaseExpiresAt: new Date(now.getTime() + letterLeaseMs),
        createdAfter: new Date(now.getTime() - letterTooOldMs),
        count: claimMax,
      })
      const outcomes = await Promise.all(letters.map((letter) => sendOne(letter)))
      if (lookedAtCount < claimMax) return
      // The server is away or does not want us: asking for each of a thousand letters would not help it.
      if (outcomes.length > 0 && outcomes.every((outcome) => outcome === 'refused_for_now')) return
    }
  }

  async function sendOne(letter: ClaimedLetter): Promise<LetterOutcome> {
    const outcome = await attempt(letter)
    const { attemptNumber } = letter
    const decision = decideLetter({ outcome, attemptNumber, now: clock.now() })
    const isRecorded = await recordLetter(db, letter, decision)
    const line = { notificationId: letter.id, attemptNumber, next: decision.state }
    if (!isRecorded) log.warn(line, 'a letter was recorded by another worker; it may have been sent twice')
    else if (decision.state === 'failed') log.error(line, 'a letter is given up')
    else log.info(line, 'letter')
    return outcome
  }

  async function attempt(letter: ClaimedLetter): Promise<LetterOutcome> {
    const deadline = abortAfter(clock, letterDeadlineMs)
    try {
      await mail.send(composeLetter(letter, deps), AbortSignal.any([deadline.signal, interruption.signal]))
      return 'taken'
    } catch (error) {
      if (!(error instanceof MailError)) throw error
      const { isFinal } = error
      log.warn({ err: error, notificationId: letter.id, isFinal }, 'the mail server did not take a letter')
      return isFinal ? 'refused_for_good' : 'refused_for_now'
    } finally {
      deadline.cancel()
    }
  }

  const sending = keepDoing({ what: 'send letters', everyMs: lookEveryMs, clock, log, act: sendAll })
  let stopListening: (() => void) | undefined
  return {
    start() {
      stopListening = deps.wakeups.listen('mail', sending.look)
      sending.start()
    },
    /**
     * Resolves when no letter is under way any more; after `graceMs` those that are get interrupted, to be sent again
     * later.
     */
    async stop({ graceMs }: { graceMs: number }) {
      isStopping = true
      stopListening?.()
      const grace = abortAfter(clock, graceMs)
      grace.signal.addEventListener('abort', () => interruption.abort())
      await sending.stop()
      grace.cancel()
    },
  }
}
