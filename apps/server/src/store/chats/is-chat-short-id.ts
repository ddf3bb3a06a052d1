import type { Db } from '../db.ts'

/** Whether there is such a chat, in whichever organization. */
export async function isChatShortId(db: Db, shortId: string): Promise<boolean> {
  const row = await db.selectFrom('chats').select('id').where('short_id', '=', shortId).executeTakeFirst()
  return row !== undefined
}
