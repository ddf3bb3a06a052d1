import type { Db } from '../db.ts'

export async function findEmailSettings(
  db: Db,
  userId: string,
): Promise<{ email: string; emailEnabled: boolean } | undefined> {
  return db
    .selectFrom('users')
    .select(['email', 'email_notifications as emailEnabled'])
    .where('id', '=', userId)
    .executeTakeFirst()
}

export async function setEmailEnabled(db: Db, userId: string, emailEnabled: boolean): Promise<void> {
  await db.updateTable('users').set({ email_notifications: emailEnabled }).where('id', '=', userId).execute()
}
