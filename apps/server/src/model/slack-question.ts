import type { ChannelSettings } from './channel.ts'

/**
 * Words:
 * - A *Slack question* is a message in Slack that mentions the bot, or that was sent to it directly. Slack reports it with an *event*;
 *   an event is accepted once, however often Slack repeats it.
 * - Its *asker* is the member of the organization whose e-mail address is that of the Slack account. Nobody else is answered.
 * - The question is asked in a chat. The first question of a thread starts the chat, later ones continue it.
 * - The *reply* is one message in the thread. It is posted while the agent works, and then replaced by the answer.
 *
 * A question is *due* until a worker has asked it, *waiting* while the agent answers, and then due again. It ends as *answered*;
 * *declined*, with a reply that says why; *failed*, if the reply could not be sent; or *dropped*, if the channel was disabled.
 *
 * A question is asked exactly once, because the chat and the step are one transaction. The reply is sent at least once: if a process
 * dies between sending and recording, another sends it again.
 */
export const slackQuestionStates = ['due', 'waiting', 'answered', 'declined', 'failed', 'dropped'] as const
export type SlackQuestionState = (typeof slackQuestionStates)[number]

/** A question as Slack reports it. */
export interface SlackQuestion {
  eventId: string
  slackUserId: string
  conversation: string
  threadTs: string
  /** Whether people of another workspace read the conversation. */
  isShared: boolean
  /** Without the mention and without Slack's markup. */
  text: string
}

/** Where a question was asked in Querypost. */
export interface SlackChat {
  id: string
  shortId: string
  questionNumber: number
}

/** A question leased to one worker. */
export interface ClaimedSlackQuestion extends Omit<SlackQuestion, 'eventId'> {
  id: string
  leaseNumber: number
  /** 1 for the first attempt since the last step. One more than the maximum: it is claimed only to record that it failed. */
  attemptNumber: number
  organizationId: string
  channelId: string
  settings: ChannelSettings
  sealedSecret: Uint8Array | null
  /** Null until it has been asked. */
  chat: SlackChat | null
  /** Null until the reply has been posted. */
  replyTs: string | null
  /** How many steps of the agent the reply tells of. */
  toldSteps: number
}

/** What becomes of a question after an attempt. */
export type SlackQuestionDecision =
  | { state: 'waiting'; waitMs: number; toldSteps: number }
  /** `reason`: something that went wrong beside the answer, such as a chart that could not be uploaded. */
  | { state: 'answered'; reason: string | null }
  | { state: 'declined' | 'failed'; reason: string }
  /** To be retried this long after the attempt ended. */
  | { state: 'due'; waitMs: number; reason: string }
  /** Interrupted by the service itself, so the attempt does not count. */
  | { state: 'given_back' }

export interface SlackQuestionRecord {
  question: ClaimedSlackQuestion
  /** The reply, if it is known. */
  replyTs: string | null
  decision: SlackQuestionDecision
  /** How long ago the attempt ended: the decision counts from then, by the store's time. */
  endedAgoMs: number
}

/** What is known of a channel's connection with Slack. */
export interface SlackConnection {
  lastEventAt: Date | null
  lastRejectedAt: Date | null
  lastForeignAt: Date | null
  /** The newest question that ended with a problem, unless one was answered since. */
  problem: { at: Date; reason: string } | null
}
