import type { ClaimedEmail } from '@querypost/server/model'
import { type EmailStore, newId } from '@querypost/server/background-work'
import type { Random } from '@querypost/server/ports'
import { after } from './memory-runs.ts'
import type { MemoryEmail, MemoryWork, WorkRules } from './memory-work.ts'

/** The queue of e-mails in memory. */
export function makeMemoryEmailStore({ work, rules }: { work: MemoryWork; rules: WorkRules }): EmailStore {
  return {
    async claim({ leaseMs, keptMs, attemptsMax, count }) {
      const due = [...work.emails.values()]
        .filter(({ state, nextAttemptAt }) => state === 'due' && nextAttemptAt! <= rules.nowOf(work, 'e-mails'))
        .sort((a, b) => a.nextAttemptAt!.getTime() - b.nextAttemptAt!.getTime() || (a.id < b.id ? -1 : 1))
        .slice(0, count)
      const claims: ClaimedEmail[] = []
      for (const email of due) {
        const isNeeded = !email.isRead && email.createdAt > after(work.now, -keptMs)
        if (!isNeeded) work.write('emails', email, { state: null, nextAttemptAt: null })
        else if (email.attemptCount >= attemptsMax) work.write('emails', email, { state: 'failed', nextAttemptAt: null })
        else {
          work.write('emails', email, {
            attemptCount: email.attemptCount + 1,
            leaseNumber: email.leaseNumber + 1,
            ...(rules.isLetterLeased && { nextAttemptAt: after(work.now, leaseMs) }),
          })
          claims.push(claimed(email))
        }
      }
      return { emails: claims, checkedCount: due.length }
    },
    async record({ id, leaseNumber, attemptNumber }, decision, { endedAgoMs }) {
      const email = work.emails.get(id)!
      const isHeld = email.state === 'due' && email.attemptCount === attemptNumber && email.leaseNumber === leaseNumber
      if (!isHeld && rules.isLetterFenced) return false
      if (decision.state === 'due') {
        work.write('emails', email, { nextAttemptAt: after(work.now, decision.waitMs - Math.round(endedAgoMs)) })
      } else if (decision.state === 'given_back') {
        work.write('emails', email, { nextAttemptAt: work.now, attemptCount: attemptNumber - 1 })
      } else work.write('emails', email, { state: decision.state, nextAttemptAt: null })
      return true
    },
  }
}

export function insertEmail(
  work: MemoryWork,
  random: Random,
  email: Pick<MemoryEmail, 'organizationId' | 'userId' | 'kind' | 'message'> & { id?: string },
): void {
  work.insert('emails', {
    id: newId(random, 'ntf'),
    ...email,
    link: '/notifications',
    createdAt: work.now,
    isRead: false,
    state: 'due',
    nextAttemptAt: work.now,
    attemptCount: 0,
    leaseNumber: 0,
  })
}

const claimed = ({ id, leaseNumber, kind, message, link, userId, attemptCount }: MemoryEmail): ClaimedEmail => ({
  id,
  leaseNumber,
  kind,
  message,
  link,
  email: `${userId}@example.com`,
  attemptNumber: attemptCount,
})
