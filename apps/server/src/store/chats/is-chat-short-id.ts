import type { Db } from '../db.ts'

/** Whether a chat with this short id exists in any organization. */
export async function isChatShortId(db: Db, shortId: string): Promise<boolean> {
  const row = await db
    .selectFrom('chats')
    .select('id')
    .where('short_id', '=', shortId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}
