import { sql } from 'kysely'
import type { SlackConnection } from '../../model/slack-question.ts'
import type { Db, Tx } from '../db.ts'
import { locksOfOne } from '../locks.ts'
import { storeNow } from '../store-now.ts'
import { wakes } from '../wakeups.ts'

interface Thread {
  organizationId: string
  channelId: string
  conversation: string
  threadTs: string
}

/** The short id of the chat that the thread continues, if any. Questions of one thread are asked one after the other. */
export async function lockChatOfThread(tx: Tx, thread: Thread): Promise<string | undefined> {
  const key = `${thread.channelId} ${thread.conversation} ${thread.threadTs}`
  await sql`select pg_advisory_xact_lock(${locksOfOne.slackThread}, hashtext(${key}))`.execute(tx)
  const row = await tx
    .selectFrom('slack_questions')
    .select('chat_short_id as shortId')
    .where('organization_id', '=', thread.organizationId)
    .where('channel_id', '=', thread.channelId)
    .where('conversation', '=', thread.conversation)
    .where('thread_ts', '=', thread.threadTs)
    .where('chat_id', 'is not', null)
    .orderBy('received_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.shortId ?? undefined
}

/** The agent has ended: the questions that wait for it are due. */
export async function wakeSlackQuestions(tx: Tx, chatId: string): Promise<void> {
  await sql`${wakes('slack_questions')}
    update slack_questions set next_attempt_at = ${storeNow} where chat_id = ${chatId} and state = 'waiting'`.execute(tx)
}

type NotedRequest = 'last_event_at' | 'last_rejected_at' | 'last_foreign_at'

/**
 * Notes when a request arrived. Of several in a row, at most one a minute is noted, so that they need not wait for each other; the first
 * of another kind is noted at once, because the newest kind tells whether the connection works.
 */
export async function noteSlackRequest(
  db: Db | Tx,
  { organizationId, channelId, what }: { organizationId: string; channelId: string; what: NotedRequest },
): Promise<void> {
  const column = sql.ref(what)
  await sql`
    insert into slack_connections (channel_id, organization_id, ${column}) values (${channelId}, ${organizationId}, ${storeNow})
    on conflict (channel_id) do update set ${column} = excluded.${column}
    where slack_connections.${column} is null or slack_connections.${column} < excluded.${column} - interval '1 minute'
      or slack_connections.${column} < greatest(slack_connections.last_event_at, slack_connections.last_rejected_at,
        slack_connections.last_foreign_at)`.execute(db)
}

export async function readSlackConnection(
  db: Db,
  { organizationId, channelId }: { organizationId: string; channelId: string },
): Promise<SlackConnection> {
  const known = await db
    .selectFrom('slack_connections')
    .select(['last_event_at as lastEventAt', 'last_rejected_at as lastRejectedAt', 'last_foreign_at as lastForeignAt'])
    .where('organization_id', '=', organizationId)
    .where('channel_id', '=', channelId)
    .executeTakeFirst()
  const newest = await db
    .selectFrom('slack_questions')
    .select(['received_at as at', 'reason', 'state'])
    .where('organization_id', '=', organizationId)
    .where('channel_id', '=', channelId)
    // Those that were declined met no problem of the connection.
    .where((expression) => expression.or([expression('state', 'in', ['answered', 'failed']), expression('reason', 'is not', null)]))
    .where('state', 'not in', ['declined', 'dropped'])
    .orderBy('received_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const problem = newest?.reason ? { at: newest.at, reason: newest.reason } : null
  return { lastEventAt: null, lastRejectedAt: null, lastForeignAt: null, ...known, problem }
}

/** Questions that ended and were received before the given time. One portion per call. */
export async function removeOldSlackQuestions(db: Db, options: { receivedBefore: Date; portion: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from slack_questions where id = any (array(
      select id from slack_questions
      where received_at < ${options.receivedBefore} and state not in ('due', 'waiting')
      order by received_at
      limit ${options.portion}
      for update skip locked))`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
