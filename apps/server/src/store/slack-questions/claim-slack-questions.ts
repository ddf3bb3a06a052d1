import { sql } from 'kysely'
import type { ClaimedSlackQuestion, SlackChat, SlackQuestionRecord } from '../../model/slack-question.ts'
import type { Db, Tx } from '../db.ts'
import { dueInTurn } from '../due-in-turn.ts'
import { prepared } from '../prepared.ts'
import { storeNow, storeNowPlus } from '../store-now.ts'

/**
 * Claims due questions, and waiting ones whose agent may have ended, in turns between organizations, by moving their next attempt
 * to the end of a lease. The same statement drops the questions of disabled channels.
 */
export async function claimSlackQuestions(
  db: Db,
  options: { leaseMs: number; count: number },
): Promise<{ questions: ClaimedSlackQuestion[]; checkedCount: number }> {
  const { rows } = await sql<ClaimedRow & { checkedCount: number }>`${prepared}
    with recursive ${dueInTurn('slack_questions', options)},
    judged as materialized (
      select question.id, channel.state = 'enabled' as is_wanted, channel.settings, channel.sealed_secret
      from due
      join slack_questions as question on question.id = due.id
      join channels as channel on channel.id = question.channel_id),
    dropped as (
      update slack_questions as question
      set state = 'dropped', reason = 'The channel was disabled.', question = '', next_attempt_at = null, ended_at = ${storeNow}
      from judged where judged.id = question.id and not judged.is_wanted),
    claimed as (
      update slack_questions as question
      set state = 'due', attempt_count = attempt_count + 1, lease_number = lease_number + 1,
        next_attempt_at = ${storeNowPlus(options.leaseMs)}
      from judged where judged.id = question.id and judged.is_wanted
      returning question.id, lease_number as "leaseNumber", attempt_count as "attemptNumber", organization_id as "organizationId",
        channel_id as "channelId", judged.settings, judged.sealed_secret as "sealedSecret", slack_user_id as "slackUserId", conversation,
        thread_ts as "threadTs", is_shared as "isShared", question as text, chat_id as "chatId", chat_short_id as "chatShortId",
        question_number as "questionNumber", reply_ts as "replyTs", told_steps as "toldSteps")
    select claimed.*, "checkedCount"
    from (select count(*)::integer as "checkedCount" from judged) as looked
    left join claimed on true`.execute(db)
  const { checkedCount } = rows[0]!
  return { questions: rows.filter(({ id }) => id !== null).map(present), checkedCount }
}

type ClaimedRow = Omit<ClaimedSlackQuestion, 'chat'> & {
  chatId: string | null
  chatShortId: string | null
  questionNumber: number | null
}

function present({ chatId, chatShortId, questionNumber, ...row }: ClaimedRow): ClaimedSlackQuestion {
  const chat = chatId === null ? null : { id: chatId, shortId: chatShortId!, questionNumber: questionNumber! }
  const { checkedCount: _, ...question } = row as typeof row & { checkedCount: number }
  return { ...question, chat }
}

/**
 * Notes the chat in which a question was asked, as part of the transaction that asks it. False if the lease is lost, or if the question
 * was asked before: then the transaction must not be committed.
 */
export async function bindSlackQuestion(tx: Tx, held: { id: string; leaseNumber: number }, chat: SlackChat): Promise<boolean> {
  const { rows } = await sql`
    update slack_questions
    set chat_id = ${chat.id}, chat_short_id = ${chat.shortId}, question_number = ${chat.questionNumber}
    where id = ${held.id} and state = 'due' and lease_number = ${held.leaseNumber} and recorded_lease < ${held.leaseNumber}
      and chat_id is null
    returning id`.execute(tx)
  return rows.length > 0
}

/** Records an attempt, fenced by the lease. Recording the same attempt again changes nothing. False if the lease is lost. */
export async function recordSlackQuestion(db: Db, record: SlackQuestionRecord): Promise<boolean> {
  const { id, leaseNumber } = record.question
  const { rows } = await sql`${prepared}
    update slack_questions
    set recorded_lease = lease_number, reply_ts = coalesce(${record.replyTs}, reply_ts), ${columnsOf(record)}
    where id = ${id} and state = 'due' and lease_number = ${leaseNumber} and recorded_lease < ${leaseNumber}
    returning id`.execute(db)
  if (rows.length > 0) return true
  const known = await db
    .selectFrom('slack_questions')
    .select('id')
    .where('id', '=', id)
    .where('recorded_lease', '=', leaseNumber)
    .executeTakeFirst()
  return known !== undefined
}

function columnsOf({ decision, question, endedAgoMs }: SlackQuestionRecord) {
  switch (decision.state) {
    // A step succeeded, so the attempts are counted from the start.
    case 'waiting':
      return sql`state = 'waiting', reason = null, attempt_count = 0, told_steps = ${decision.toldSteps},
        next_attempt_at = ${storeNowPlus(decision.waitMs)}`
    case 'due':
      return sql`reason = ${decision.reason}, next_attempt_at = ${storeNowPlus(decision.waitMs - endedAgoMs)}`
    // Nothing was sent, so the attempt does not count.
    case 'given_back':
      return sql`next_attempt_at = ${storeNow}, attempt_count = ${question.attemptNumber - 1}`
    case 'answered':
    case 'declined':
    case 'failed':
      return sql`state = ${decision.state}, reason = ${decision.reason}, question = '', next_attempt_at = null, ended_at = ${storeNow}`
  }
}
