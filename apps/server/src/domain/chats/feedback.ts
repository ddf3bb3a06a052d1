import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Caller } from '../../model/caller.ts'
import type { Feedback } from '../../model/chat.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import { deleteFeedback, type FeedbackRow, putFeedback, readFeedbackPage } from '../../store/chats/feedback-table.ts'
import { lockChat } from '../../store/chats/read-chats.ts'
import { readMessages } from '../../store/chats/read-messages.ts'
import { storableText } from '../../store/chats/storable-json.ts'
import type { Db } from '../../store/db.ts'
import { requireAdmin } from '../access/require-admin.ts'
import { newId } from '../ids.ts'
import type { ListCursorCodec } from '../pagination/list-cursor.ts'
import { readListPage } from '../pagination/list-page.ts'
import { plainText } from '../plain-text.ts'
import { Refusal } from '../refusal.ts'
import { shortened } from '../shortened.ts'
import { getChatRow, noSuchChat, takesFeedback } from './chats.ts'

/** Stores the caller's feedback on an answer, in place of any earlier one. */
export async function giveFeedback(
  deps: { db: Db; clock: Clock; random: Random },
  caller: Caller,
  input: { shortId: string; number: number; isHelpful: boolean; remark?: string | null },
): Promise<Feedback> {
  const { organizationId, userId } = caller
  const { shortId, number, isHelpful } = input
  const chat = await getChatRow(deps, caller, shortId)
  const remark = storableText(input.remark?.trim() ?? '')
  const feedback = { isHelpful, remark: remark === '' ? null : remark }
  await deps.db.transaction().execute(async (tx) => {
    if (!(await lockChat(tx, chat.id))) return noSuchChat(shortId)
    const [message] = await readMessages(tx, { chatId: chat.id, ranges: [{ from: number, to: number + 1 }] })
    if (!message || !takesFeedback(message.content.kind)) throw noSuchAnswer(number)
    const id = newId(deps.random, 'feedback')
    await putFeedback(tx, { id, chatId: chat.id, organizationId, userId, number, ...feedback, now: deps.clock.now() })
  })
  return feedback
}

/** Withdrawing feedback that was never given succeeds. */
export async function withdrawFeedback(deps: { db: Db }, caller: Caller, input: { shortId: string; number: number }): Promise<void> {
  const chat = await getChatRow(deps, caller, input.shortId)
  await deleteFeedback(deps.db, { chatId: chat.id, userId: caller.userId, number: input.number })
}

export interface ListedFeedback extends Omit<FeedbackRow, 'content'> {
  /** The beginning of the answer, as plain text. */
  answer: string
}

const questionMaxCharacters = 500
const answerMaxCharacters = 500

/** All feedback in the organization, for its admins, the latest first. */
export async function listFeedback(
  deps: { db: Db; clock: Clock; listCursors: ListCursorCodec },
  caller: Caller,
  request: PageRequest,
): Promise<Page<ListedFeedback>> {
  requireAdmin(caller)
  const { organizationId } = caller
  const page = await readListPage(deps, {
    place: { organizationId, list: 'chat feedback' },
    request,
    read: async (page) => ({ rows: await readFeedbackPage(deps.db, { organizationId, ...page }) }),
  })
  return { ...page, items: page.items.map(excerptOf) }
}

const excerptOf = ({ content, question, ...feedback }: FeedbackRow): ListedFeedback => ({
  ...feedback,
  question: question && shortened(question, questionMaxCharacters),
  answer: 'text' in content ? shortened(plainText(content.text), answerMaxCharacters) : '',
})

const noSuchAnswer = (number: number) =>
  new Refusal('message_not_found', `Message ${number} of this chat is not an answer. Give feedback on an answer.`)
