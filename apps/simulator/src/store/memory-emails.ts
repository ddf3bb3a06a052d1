import type { ClaimedLetter } from '@querypost/server/model'
import { type LetterStore, newId } from '@querypost/server/background-work'
import type { Random } from '@querypost/server/ports'
import { after } from './memory-runs.ts'
import type { MemoryEmail, MemoryWork, WorkRules } from './memory-work.ts'

/** The queue of e-mails in memory. */
export function makeMemoryEmailStore({ work, rules }: { work: MemoryWork; rules: WorkRules }): LetterStore {
  return {
    async claim({ leaseMs, keptMs, attemptsMax, count }) {
      const due = [...work.letters.values()]
        .filter(({ state, nextAttemptAt }) => state === 'due' && nextAttemptAt! <= rules.nowOf(work, 'e-mails'))
        .sort((a, b) => a.nextAttemptAt!.getTime() - b.nextAttemptAt!.getTime() || (a.id < b.id ? -1 : 1))
        .slice(0, count)
      const letters: ClaimedLetter[] = []
      for (const letter of due) {
        const isWanted = !letter.isRead && letter.createdAt > after(work.now, -keptMs)
        if (!isWanted) work.write('letters', letter, { state: null, nextAttemptAt: null })
        else if (letter.attemptCount >= attemptsMax) work.write('letters', letter, { state: 'failed', nextAttemptAt: null })
        else {
          work.write('letters', letter, {
            attemptCount: letter.attemptCount + 1,
            leaseNumber: letter.leaseNumber + 1,
            ...(rules.isLetterLeased && { nextAttemptAt: after(work.now, leaseMs) }),
          })
          letters.push(claimed(letter))
        }
      }
      return { letters, lookedAtCount: due.length }
    },
    async record({ id, leaseNumber, attemptNumber }, decision, { endedAgoMs }) {
      const letter = work.letters.get(id)!
      const isHeld = letter.state === 'due' && letter.attemptCount === attemptNumber && letter.leaseNumber === leaseNumber
      if (!isHeld && rules.isLetterFenced) return false
      if (decision.state === 'due') {
        work.write('letters', letter, { nextAttemptAt: after(work.now, decision.waitMs - Math.round(endedAgoMs)) })
      } else if (decision.state === 'given_back') {
        work.write('letters', letter, { nextAttemptAt: work.now, attemptCount: attemptNumber - 1 })
      } else work.write('letters', letter, { state: decision.state, nextAttemptAt: null })
      return true
    },
  }
}

export function insertEmail(
  work: MemoryWork,
  random: Random,
  letter: Pick<MemoryEmail, 'organizationId' | 'userId' | 'kind' | 'message'> & { id?: string },
): void {
  work.insert('letters', {
    id: newId(random, 'ntf'),
    ...letter,
    link: '/notifications',
    createdAt: work.now,
    isRead: false,
    state: 'due',
    nextAttemptAt: work.now,
    attemptCount: 0,
    leaseNumber: 0,
  })
}

const claimed = ({ id, leaseNumber, kind, message, link, userId, attemptCount }: MemoryEmail): ClaimedLetter => ({
  id,
  leaseNumber,
  kind,
  message,
  link,
  email: `${userId}@example.com`,
  attemptNumber: attemptCount,
})
