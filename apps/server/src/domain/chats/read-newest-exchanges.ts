import { readOpenings } from '../../store/chats/read-openings.ts'
import type { Db, Tx } from '../../store/db.ts'
import { type ChatTree, treeOf } from './paths.ts'

/** Enough for the exchanges that a chat opens with, unless it has several branches. */
const countAtFirst = 8
const factor = 4

/**
 * Reads the tree of a chat backwards from its newest exchange until `isEnough`, so that the cost depends on what is shown rather than on
 * the length of the chat. The tree is whole if that takes all of it.
 */
export async function readNewestExchanges(
  deps: { db: Db | Tx },
  chatId: string,
  isEnough: (tree: ChatTree) => boolean,
): Promise<ChatTree> {
  for (let count = countAtFirst; ; count *= factor) {
    const openings = await readOpenings(deps.db, { chatId, count })
    const tree = treeOf(openings, { isWhole: openings.length < count })
    if (tree.isWhole || isEnough(tree)) return tree
  }
}
