import { sql } from 'kysely'
import type { Feedback, MessageContent } from '../../model/chat.ts'
import type { ItemKey } from '../../model/page.ts'
import type { Db, Tx } from '../db.ts'
import { prepared } from '../prepared.ts'
import { exactText } from '../snapshot.ts'

interface FeedbackKey {
  chatId: string
  number: number
  userId: string
}

/** Stores a person's feedback on a message, in place of any earlier one. */
export async function putFeedback(
  tx: Tx,
  feedback: FeedbackKey & Feedback & { id: string; organizationId: string; now: Date },
): Promise<void> {
  await sql`
    insert into chat_feedback (chat_id, message_number, user_id, organization_id, is_helpful, remark, updated_at, id)
    values (${feedback.chatId}, ${feedback.number}, ${feedback.userId}, ${feedback.organizationId}, ${feedback.isHelpful},
      ${feedback.remark}, ${feedback.now}, ${feedback.id})
    on conflict (chat_id, message_number, user_id) do update
    set is_helpful = excluded.is_helpful, remark = excluded.remark, updated_at = excluded.updated_at`.execute(tx)
}

/** Deleting missing feedback succeeds. */
export async function deleteFeedback(db: Db, key: FeedbackKey): Promise<void> {
  await db
    .deleteFrom('chat_feedback')
    .where('chat_id', '=', key.chatId)
    .where('message_number', '=', key.number)
    .where('user_id', '=', key.userId)
    .execute()
}

/** A person's feedback on these messages, by number. */
export async function readFeedbackOf(
  db: Db,
  key: { chatId: string; userId: string; numbers: number[] },
): Promise<Map<number, Feedback>> {
  const { rows } = await sql<Feedback & { number: number }>`${prepared}
    select message_number as number, is_helpful as "isHelpful", remark from chat_feedback
    where chat_id = ${key.chatId} and user_id = ${key.userId} and message_number = any (${key.numbers}::integer[])`.execute(db)
  return new Map(rows.map(({ number, ...feedback }) => [number, feedback]))
}

export interface FeedbackRow extends Feedback {
  chat: { shortId: string; title: string }
  messageNumber: number
  /** The question or instruction of the exchange. */
  question: string | null
  content: MessageContent
  person: { id: string; name: string }
  updatedAt: Date
}

/** The organization's feedback, the latest first. */
export async function readFeedbackPage(
  db: Db,
  page: { organizationId: string; after?: ItemKey; count: number },
): Promise<{ item: FeedbackRow; key: ItemKey }[]> {
  const { after } = page
  const { rows } = await sql<FeedbackRow & { id: string; updatedAtText: string }>`
    select feedback.id, feedback.is_helpful as "isHelpful", feedback.remark, feedback.updated_at as "updatedAt",
      feedback.message_number as "messageNumber", message.content,
      jsonb_build_object('shortId', chat.short_id, 'title', chat.title) as chat,
      jsonb_build_object('id', users.id, 'name', users.name) as person,
      (select opening.content ->> 'text' from chat_messages as opening
       where opening.chat_id = feedback.chat_id and opening.number < feedback.message_number
         and opening.kind in ('instruction', 'question')
       order by opening.number desc limit 1) as question,
      ${exactText(sql`feedback.updated_at`)} as "updatedAtText"
    from chat_feedback as feedback
    join chats as chat on chat.id = feedback.chat_id
    join users on users.id = feedback.user_id
    join chat_messages as message on message.chat_id = feedback.chat_id and message.number = feedback.message_number
    where feedback.organization_id = ${page.organizationId}
      ${after ? sql`and (feedback.updated_at, feedback.id) < (${after.createdAt}::timestamptz, ${after.id})` : sql``}
    order by feedback.updated_at desc, feedback.id desc
    limit ${page.count}`.execute(db)
  return rows.map(({ id, updatedAtText, ...item }) => ({ item, key: { createdAt: updatedAtText, id } }))
}
