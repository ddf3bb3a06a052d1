import type { Db } from '../db.ts'

export interface EmailChoices {
  emailEnabled: boolean
  /** E-mails about mentions and replies; only if `emailEnabled`. */
  commentEmailEnabled: boolean
}

export async function findEmailSettings(db: Db, userId: string): Promise<(EmailChoices & { email: string }) | undefined> {
  return db
    .selectFrom('users')
    .select(['email', 'email_notifications as emailEnabled', 'comment_emails as commentEmailEnabled'])
    .where('id', '=', userId)
    .executeTakeFirst()
}

/** Changes only the given choices. */
export async function setEmailChoices(db: Db, userId: string, choices: Partial<EmailChoices>): Promise<void> {
  const { emailEnabled, commentEmailEnabled } = choices
  const change = {
    ...(emailEnabled !== undefined && { email_notifications: emailEnabled }),
    ...(commentEmailEnabled !== undefined && { comment_emails: commentEmailEnabled }),
  }
  if (Object.keys(change).length === 0) return
  await db.updateTable('users').set(change).where('id', '=', userId).execute()
}
