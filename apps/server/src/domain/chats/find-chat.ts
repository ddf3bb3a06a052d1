import { isChatShortId } from '../../store/chats/is-chat-short-id.ts'
import type { Db } from '../../store/db.ts'
import { shortIdPattern } from '../ids.ts'

/** Whether a permalink leads to a chat; whose it is, is not told. */
export async function isChat(deps: { db: Db }, shortId: string): Promise<boolean> {
  return shortIdPattern.test(shortId) && isChatShortId(deps.db, shortId)
}
