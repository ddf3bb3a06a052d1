import type { Caller } from '../../model/caller.ts'
import type { ClaimedSlackQuestion, SlackChat } from '../../model/slack-question.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { findChat } from '../../store/chats/read-chats.ts'
import type { Db } from '../../store/db.ts'
import { bindSlackQuestion } from '../../store/slack-questions/claim-slack-questions.ts'
import { lockChatOfThread } from '../../store/slack-questions/slack-questions-table.ts'
import { LeaseLost } from '../agent-runs/lease-lost.ts'
import { addFollowUp, addChat } from '../chats/ask.ts'
import { Refusal } from '../refusal.ts'
import { declined } from './replies.ts'

export type Asked = { kind: 'asked'; chat: SlackChat } | { kind: 'declined'; reason: string }

/**
 * Asks the question on behalf of the member, in the chat of the thread or in a new one. The question and the note that it was asked are
 * one transaction, so it is asked once, whatever happens to the worker.
 */
export async function askInThread(
  deps: { db: Db; clock: Clock; random: Random },
  question: ClaimedSlackQuestion,
  caller: Caller,
): Promise<Asked> {
  const { organizationId } = caller
  const { text } = question
  try {
    return await deps.db.transaction().execute(async (tx): Promise<Asked> => {
      const shortId = await lockChatOfThread(tx, question)
      // If the chat has been deleted, the thread continues with a new one.
      const known = shortId === undefined ? undefined : await findChat(tx, { organizationId, shortId })
      const chat = known ? await addFollowUp(deps, tx, caller, { chat: known, text }) : await addChat(deps, tx, caller, { text })
      if (!(await bindSlackQuestion(tx, question, chat))) throw new LeaseLost(`Another worker has the Slack question ${question.id}.`)
      return { kind: 'asked', chat }
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { kind: 'declined', reason: error.code === 'chat_already_answering' ? declined.still_answering : error.message }
  }
}
