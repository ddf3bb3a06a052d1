import type { Message } from '../../model/chat.ts'
import { readMessages } from '../../store/chats/read-messages.ts'
import type { Db } from '../../store/db.ts'
import { pathTo, rangesOf } from './paths.ts'
import { readNewestExchanges } from './read-newest-exchanges.ts'

/** More than a model's context holds. */
const exchangesMax = 100

/**
 * The messages on the path of the newest question, for the agent that answers it: other branches are not part of the conversation. The
 * newest question is the one being answered, because none can be asked until then.
 */
export async function readNewestPath(deps: { db: Db }, chatId: string): Promise<Message[]> {
  const tree = await readNewestExchanges(deps, chatId, (part) => pathTo(part, part.newest).length >= exchangesMax)
  const exchanges = pathTo(tree, tree.newest).slice(-exchangesMax)
  return readMessages(deps.db, { chatId, ranges: rangesOf(tree, exchanges) })
}
