import type { ClaimedEmail, EmailDecision } from '../../model/notification.ts'
import type { Db } from '../db.ts'
import { claimEmails, recordEmail } from './claim-emails.ts'

/** The store operations of the mail worker. Implemented in SQL, and in memory by the simulator. */
export interface EmailStore {
  /**
   * Claims due e-mails. `checkedCount` includes those it does not claim: e-mails that are no longer needed are dropped, and e-mails
   * whose attempts all ended with a crash have failed.
   */
  claim(options: {
    leaseMs: number
    keptMs: number
    attemptsMax: number
    count: number
  }): Promise<{ emails: ClaimedEmail[]; checkedCount: number }>
  /** False if the lease is lost. */
  record(email: ClaimedEmail, decision: EmailDecision, options: { endedAgoMs: number }): Promise<boolean>
}

export const makeSqlEmailStore = (db: Db): EmailStore => ({
  claim: (options) => claimEmails(db, options),
  record: (email, decision, options) => recordEmail(db, email, decision, options),
})
