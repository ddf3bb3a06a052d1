import { isChatShortId } from '../../store/chats/is-chat-short-id.ts'
import type { Db } from '../../store/db.ts'
import { shortIdPattern } from '../ids.ts'

/** Whether a permalink belongs to a chat of any organization. */
export async function isChat(deps: { db: Db }, shortId: string): Promise<boolean> {
  return shortIdPattern.test(shortId) && isChatShortId(deps.db, shortId)
}
