import type { Tx } from '../db.ts'

export interface NewChat {
  id: string
  organizationId: string
  shortId: string
  title: string
  /** The person who starts it with a question. */
  createdBy: string
  now: Date
}

export async function insertChat(tx: Tx, chat: NewChat): Promise<void> {
  await tx
    .insertInto('chats')
    .values({
      id: chat.id,
      organization_id: chat.organizationId,
      short_id: chat.shortId,
      title: chat.title,
      created_by: chat.createdBy,
      created_at: chat.now,
      updated_at: chat.now,
      state_changed_at: chat.now,
    })
    .execute()
}
