import { sql } from 'kysely'
import type { Chat } from '../../model/chat.ts'
import type { ItemKey } from '../../model/page.ts'
import type { Db, Tx } from '../db.ts'
import { prepared } from '../prepared.ts'
import { exactText } from '../snapshot.ts'

export interface ChatRow extends Chat {
  /** On all its branches. */
  messageCount: number
  /** The automation whose run it records; null if there is none or it was deleted. */
  automation: { id: string; name: string } | null
  /** The person who started it; null for a chat of an automation. */
  startedBy: { id: string; name: string } | null
}

/** Only a chat that no person started has an automation, whose run comes first: the runs of questions are not searched for it. */
const columns = sql`chat.id, chat.organization_id as "organizationId", chat.short_id as "shortId", chat.title, chat.revision, chat.message_count as "messageCount",
  chat.created_at as "createdAt", chat.updated_at as "updatedAt",
  coalesce(chat.state_changed_at, chat.updated_at) as "stateChangedAt",
  (select jsonb_build_object('id', automation.id, 'name', automation.name)
   from agent_runs as run join automations as automation on automation.id = run.automation_id
   where chat.created_by is null and run.chat_id = chat.id and automation.deleted_at is null
   order by run.ended_at, run.requested_at, run.id limit 1) as automation,
  (select jsonb_build_object('id', users.id, 'name', users.name) from users where users.id = chat.created_by) as "startedBy"`

export async function findChat(
  db: Db | Tx,
  key: { organizationId: string; shortId: string },
): Promise<ChatRow | undefined> {
  const { rows } = await sql<ChatRow>`${prepared}
    select ${columns} from chats as chat
    where chat.short_id = ${key.shortId} and chat.organization_id = ${key.organizationId} and chat.deleted_at is null`.execute(db)
  return rows[0]
}

/** Locks the chat against writes until the transaction ends. Undefined if it has been deleted. */
export async function lockChat(tx: Tx, chatId: string): Promise<{ title: string } | undefined> {
  const { rows } = await sql<{ title: string }>`
    select title from chats where id = ${chatId} and deleted_at is null for update`.execute(tx)
  return rows[0]
}

/** Newest first. */
export async function readChatsPage(
  db: Db,
  page: { organizationId: string; after?: ItemKey; count: number },
): Promise<{ item: ChatRow; key: ItemKey }[]> {
  const { after } = page
  const { rows } = await sql<ChatRow & { createdAtText: string }>`
    select ${columns}, ${exactText(sql`chat.created_at`)} as "createdAtText"
    from chats as chat
    where chat.organization_id = ${page.organizationId} and chat.deleted_at is null and not chat.is_hidden
      ${after ? sql`and (chat.created_at, chat.id) < (${after.createdAt}::timestamptz, ${after.id})` : sql``}
    order by chat.created_at desc, chat.id desc
    limit ${page.count}`.execute(db)
  return rows.map(({ createdAtText, ...item }) => ({ item, key: { createdAt: createdAtText, id: item.id } }))
}

/** Revisions by chat id, without deleted chats. */
export async function readRevisions(db: Db, chatIds: string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; revision: number }>`${prepared}
    select id, revision from chats where id = any (${chatIds}::text[]) and deleted_at is null`.execute(db)
  return new Map(rows.map(({ id, revision }) => [id, revision]))
}
