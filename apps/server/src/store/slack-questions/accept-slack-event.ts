import { sql } from 'kysely'
import type { SlackQuestion } from '../../model/slack-question.ts'
import type { Tx } from '../db.ts'
import { storeNow } from '../store-now.ts'
import { wakes } from '../wakeups.ts'

/** Stores a question for a worker. False if its event was accepted before. */
export async function insertSlackQuestion(
  tx: Tx,
  options: { id: string; organizationId: string; channelId: string; question: SlackQuestion },
): Promise<boolean> {
  const { id, organizationId, channelId, question } = options
  const { rows } = await sql`${wakes('slack_questions')}
    insert into slack_questions
      (id, organization_id, channel_id, event_id, slack_user_id, conversation, thread_ts, is_shared, question, next_attempt_at, received_at)
    values (${id}, ${organizationId}, ${channelId}, ${question.eventId}, ${question.slackUserId}, ${question.conversation},
      ${question.threadTs}, ${question.isShared}, ${question.text}, ${storeNow}, ${storeNow})
    on conflict (channel_id, event_id) do nothing
    returning id`.execute(tx)
  return rows.length > 0
}
