import type { ClaimedLetter, LetterDecision } from '../../model/notification.ts'
import type { Db } from '../db.ts'
import { claimLetters, recordLetter } from './claim-letters.ts'

/** What the mail worker needs of a store. Two exist: SQL, and the simulator's in memory. */
export interface LetterStore {
  /**
   * Takes letters that are due. `lookedAtCount` includes those that it does not take: what nobody needs any more is let go, and what
   * has used up its attempts, all of which ended with their process, has failed.
   */
  claim(options: {
    leaseMs: number
    keptMs: number
    attemptsMax: number
    count: number
  }): Promise<{ letters: ClaimedLetter[]; lookedAtCount: number }>
  /** False when the lease is gone. */
  record(letter: ClaimedLetter, decision: LetterDecision, options: { endedAgoMs: number }): Promise<boolean>
}

export const makeSqlLetterStore = (db: Db): LetterStore => ({
  claim: (options) => claimLetters(db, options),
  record: (letter, decision, options) => recordLetter(db, letter, decision, options),
})
