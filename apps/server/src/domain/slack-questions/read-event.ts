import type { SlackQuestion } from '../../model/slack-question.ts'
import { questionText } from './question-text.ts'

/** What a request of Slack asks for. */
export type SlackRequest =
  /** Slack checks the URL when an admin enters it. */
  | { kind: 'url_check'; challenge: string }
  | { kind: 'question'; question: SlackQuestion }
  /** From a workspace that is not the bot's. An app that is installed in several signs all of them alike. */
  | { kind: 'foreign' }
  /** Not a question: a bot's message, an edit, or an event that nobody asked for. */
  | { kind: 'other' }

/** The workspace and the account of a bot. */
export interface SlackBot {
  teamId: string
  botUserId: string
}

/** Messages with a file, and replies that are also sent to the channel, are ordinary messages of people. */
const ordinarySubtypes: ReadonlySet<unknown> = new Set([undefined, 'file_share', 'thread_broadcast'])

/** Reads the body of a signed request. */
export function readSlackEvent(body: unknown, bot: SlackBot): SlackRequest {
  const envelope = fieldsOf(body)
  if (envelope['type'] === 'url_verification' && typeof envelope['challenge'] === 'string') {
    return { kind: 'url_check', challenge: envelope['challenge'] }
  }
  if (envelope['type'] !== 'event_callback') return { kind: 'other' }
  if (envelope['team_id'] !== bot.teamId) return { kind: 'foreign' }
  const event = fieldsOf(envelope['event'])
  const isDirect = event['type'] === 'message' && event['channel_type'] === 'im'
  if (!isDirect && event['type'] !== 'app_mention') return { kind: 'other' }
  if (!ordinarySubtypes.has(event['subtype']) || event['edited'] !== undefined) return { kind: 'other' }
  if (event['bot_id'] !== undefined || event['bot_profile'] !== undefined || event['user'] === bot.botUserId) return { kind: 'other' }
  const { event_id: eventId, is_ext_shared_channel: isExternallyShared } = envelope
  const { user, channel, ts, thread_ts: threadTs = ts, text = '' } = event
  const ids = [eventId, user, channel, ts, threadTs]
  if (!ids.every(isSlackId) || typeof text !== 'string') return { kind: 'other' }
  return {
    kind: 'question',
    question: {
      eventId: eventId as string,
      slackUserId: user as string,
      conversation: channel as string,
      threadTs: threadTs as string,
      isShared: isExternallyShared === true,
      text: questionText(text, bot),
    },
  }
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

/** The signature shows that Slack made them; this keeps anything else out of the store. */
const isSlackId = (value: unknown): boolean => typeof value === 'string' && /^[\w.]{1,64}$/.test(value)
