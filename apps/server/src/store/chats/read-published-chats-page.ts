import { sql } from 'kysely'
import type { PageRead, PageRows } from '../../model/page.ts'
import type { Db } from '../db.ts'
import { newestFirst, readSnapshotPage } from '../snapshot-page.ts'
import { exactText, visibleIn } from '../snapshot.ts'

export interface PublishedChatRow {
  id: string
  shortId: string
  title: string
  isAnswering: boolean
  createdAt: Date
  updatedAt: Date
}

type Row = PublishedChatRow & { createdAtText: string }

/**
 * One page of an organization's chats without hidden ones, newest first, as of one snapshot: also chats deleted since, and each in the state it had.
 *
 * A later page reads each chat's former state if the change that replaced it is not visible in the snapshot. Of several, the oldest is the
 * state that the snapshot saw, because changes of a chat commit in the order of its revisions. Both scans follow an index in the list's
 * order and end at the limit.
 */
export async function readPublishedChatsPage(db: Db, page: PageRead): Promise<PageRows<PublishedChatRow> | 'snapshot_unknown'> {
  const { from } = page
  return readSnapshotPage(db, {
    from,
    selected: from ? laterPage(page, from) : firstPage(page),
    order: newestFirst,
    present: ({ createdAtText, ...item }) => ({ item, key: { createdAt: createdAtText, id: item.id } }),
  })
}

const fixedFields = sql`live.id, live.short_id as "shortId", live.created_at as "createdAt",
  ${exactText(sql`live.created_at`)} as "createdAtText"`
const liveUpdatedAt = sql`coalesce(live.state_changed_at, live.updated_at)`
const liveIsAnswering = sql`exists (
  select from agent_runs where agent_runs.chat_id = live.id and agent_runs.status in ('pending', 'running'))`

const firstPage = (page: PageRead) => sql<Row>`
  select ${fixedFields}, live.title, ${liveIsAnswering} as "isAnswering", ${liveUpdatedAt} as "updatedAt"
  from chats as live
  where live.organization_id = ${page.organizationId} and live.deleted_at is null and not live.is_hidden
  order by live.created_at desc, live.id desc
  limit ${page.count}`

const laterPage = (page: PageRead, { snapshot, after }: NonNullable<PageRead['from']>) => sql<Row>`
  select ${fixedFields}, coalesce(former.title, live.title) as title,
    coalesce(former.is_answering, ${liveIsAnswering}) as "isAnswering", coalesce(former.updated_at, ${liveUpdatedAt}) as "updatedAt"
  from chats as live
  left join lateral (
    select title, is_answering, updated_at from chat_history
    where chat_history.chat_id = live.id and not ${visibleIn(snapshot, sql`chat_history.replaced_xid`)}
    order by chat_history.revision
    limit 1) as former on true
  where live.organization_id = ${page.organizationId} and not live.is_hidden
    and (live.created_at, live.id) < (${after.createdAt}::timestamptz, ${after.id})
    and (live.created_xid is null or ${visibleIn(snapshot, sql`live.created_xid`)})
    and (live.deleted_at is null or former.title is not null)
  order by live.created_at desc, live.id desc
  limit ${page.count}`
