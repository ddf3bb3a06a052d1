import type { ClaimedLetter, LetterDecision } from '../../model/notification.ts'
import type { Db } from '../db.ts'
import { claimLetters, recordLetter } from './claim-letters.ts'

/** The store operations of the mail worker. Implemented in SQL, and in memory by the simulator. */
export interface LetterStore {
  /**
   * Claims due e-mails. `lookedAtCount` includes those it does not claim: e-mails that are no longer needed are dropped, and e-mails
   * whose attempts all ended with a crash have failed.
   */
  claim(options: {
    leaseMs: number
    keptMs: number
    attemptsMax: number
    count: number
  }): Promise<{ letters: ClaimedLetter[]; lookedAtCount: number }>
  /** False if the lease is lost. */
  record(letter: ClaimedLetter, decision: LetterDecision, options: { endedAgoMs: number }): Promise<boolean>
}

export const makeSqlLetterStore = (db: Db): LetterStore => ({
  claim: (options) => claimLetters(db, options),
  record: (letter, decision, options) => recordLetter(db, letter, decision, options),
})
