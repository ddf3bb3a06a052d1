import type { Refused } from '../channels/exchange.ts'
import { type SlackPlace, uploadToSlack } from '../channels/slack/bot-sender.ts'
import { callSlack, type SlackApiDeps } from '../channels/slack/slack-api.ts'
import type { Said, SlackReply } from './advance-question.ts'

/** The reply cannot be changed any more: someone deleted it, or the workspace forbids late edits. */
const lostReplies: ReadonlySet<string> = new Set(['message_not_found', 'cant_update_message', 'edit_window_closed'])

/**
 * Posts a reply in the thread, or replaces the one that is there. Charts follow in a message of their own, because an update takes no
 * files. Replacing a message twice changes nothing, so only a chart can be doubled when an answer is sent again.
 */
export async function sayInSlack(
  deps: SlackApiDeps,
  place: SlackPlace & { threadTs: string; replyTs: string | null },
  { message, files }: SlackReply,
  signal: AbortSignal,
): Promise<Said> {
  const posted = await postOrReplace(deps, place, message, signal)
  if ('outcome' in posted) return { kind: 'not_said', outcome: posted.outcome, replyTs: place.replyTs }
  const { replyTs } = posted
  if (files.length === 0) return { kind: 'said', replyTs, problem: null }
  const outcome = await uploadToSlack(deps, place, { files }, signal)
  if (outcome.kind === 'sent') return { kind: 'said', replyTs, problem: null }
  // The answer is there, and trying again would not bring the chart.
  if (outcome.kind === 'refused_for_good') return { kind: 'said', replyTs, problem: `The chart was not sent. ${outcome.detail}` }
  return { kind: 'not_said', outcome, replyTs }
}

async function postOrReplace(
  deps: SlackApiDeps,
  { token, conversation, threadTs, replyTs }: SlackPlace & { threadTs: string; replyTs: string | null },
  message: SlackReply['message'],
  signal: AbortSignal,
): Promise<{ replyTs: string } | { outcome: Refused }> {
  const content = { channel: conversation, text: message.text, blocks: JSON.stringify(message.blocks) }
  if (replyTs !== null) {
    const updated = await callSlack(deps, { token, method: 'chat.update', args: { ...content, ts: replyTs } }, signal)
    if (updated.ok) return { replyTs }
    if (updated.code === undefined || !lostReplies.has(updated.code)) return updated
  }
  const args = { ...content, thread_ts: threadTs, unfurl_links: 'false', unfurl_media: 'false' }
  const posted = await callSlack<{ ts: string }>(deps, { token, method: 'chat.postMessage', args }, signal)
  return posted.ok ? { replyTs: posted.content.ts } : posted
}
