import type { RenderedReport, SendOutcome } from '../../../model/report.ts'
import { shortened } from '../../shortened.ts'
import type { SharedFile } from '../channel-message.ts'
import type { ChannelSender } from '../channel-sender.ts'
import { exchange, type Refused, refusedForNow } from '../exchange.ts'
import { requireChannel, requireSecret } from '../require-channel.ts'
import { renderSlackMessage, type SlackMessage } from './render-blocks.ts'
import { callSlack, type SlackApiDeps } from './slack-api.ts'
import { readSlackSecret } from './slack-secret.ts'

/** Where a message goes: a conversation, or a thread in it. */
export interface SlackPlace {
  token: string
  conversation: string
  threadTs?: string
}

/** Slack shows more than ten files of one message as a list. */
const filesMax = 10
const altTextMaxCharacters = 1_000

/** Sends reports as a bot, with charts and attachments as files below the message. The token is the secret. */
export function makeSlackBotSender(deps: SlackApiDeps): ChannelSender {
  return {
    async send(report, signal) {
      const channel = requireChannel(report.to)
      const { token } = readSlackSecret(requireSecret(channel))
      const { conversation = channel.settings['conversation'] } = channel
      if (conversation === undefined) {
        return { kind: 'refused_for_good', detail: 'The report has no conversation. Choose one.', isChannelBroken: false }
      }
      const { files, ...message } = composeForBot(report)
      return postToSlack(deps, { token, conversation }, { message, files }, signal)
    },
  }
}

export const composeForBot = (report: RenderedReport) =>
  ({ kind: 'slack', ...renderSlackMessage(report.document), files: filesOf(report) }) as const

function filesOf({ document, images, attachments }: RenderedReport): SharedFile[] {
  const charts = document.sections.flatMap((section) => {
    const bytes = section.kind === 'chart' ? images.get(section.imageId) : undefined
    return section.kind === 'chart' && bytes ? [{ title: section.title, fileName: 'chart.png', bytes }] : []
  })
  const others = attachments.map(({ fileName, bytes }) => ({ title: fileName, fileName, bytes }))
  return [...others, ...charts].slice(0, filesMax)
}

/**
 * Posts a message with its files. Uploaded files are shared by the call that completes them, together with the blocks: an image
 * block that names an uploaded file is refused until Slack has processed the file.
 */
export async function postToSlack(
  deps: SlackApiDeps,
  place: SlackPlace,
  { message, files }: { message: SlackMessage; files: readonly SharedFile[] },
  signal: AbortSignal,
): Promise<SendOutcome> {
  const { token, conversation, threadTs } = place
  const thread = threadTs === undefined ? {} : { thread_ts: threadTs }
  if (files.length === 0) {
    const blocks = JSON.stringify(message.blocks)
    const args = { channel: conversation, ...thread, text: message.text, blocks, unfurl_links: 'false', unfurl_media: 'false' }
    const posted = await callSlack(deps, { token, method: 'chat.postMessage', args }, signal)
    return posted.ok ? { kind: 'sent' } : posted.outcome
  }
  return uploadToSlack(deps, place, { files, blocks: message.blocks }, signal)
}

/** Posts files as one message, with blocks above them. */
export async function uploadToSlack(
  deps: SlackApiDeps,
  { token, conversation, threadTs }: SlackPlace,
  { files, blocks }: { files: readonly SharedFile[]; blocks?: SlackMessage['blocks'] },
  signal: AbortSignal,
): Promise<SendOutcome> {
  const uploaded: { id: string; title: string }[] = []
  for (const file of files) {
    const result = await upload(deps, token, file, signal)
    if ('outcome' in result) return result.outcome
    uploaded.push({ id: result.id, title: file.title })
  }
  const args = {
    files: JSON.stringify(uploaded),
    channel_id: conversation,
    ...(threadTs !== undefined && { thread_ts: threadTs }),
    ...(blocks && { blocks: JSON.stringify(blocks) }),
  }
  const completed = await callSlack(deps, { token, method: 'files.completeUploadExternal', args }, signal)
  return completed.ok ? { kind: 'sent' } : completed.outcome
}

async function upload(deps: SlackApiDeps, token: string, file: SharedFile, signal: AbortSignal): Promise<{ id: string } | { outcome: Refused }> {
  const { fileName, bytes, altText } = file
  const args = { filename: fileName, length: String(bytes.byteLength), ...(altText !== undefined && { alt_txt: shortened(altText, altTextMaxCharacters) }) }
  const place = await callSlack<{ upload_url: string; file_id: string }>(deps, { token, method: 'files.getUploadURLExternal', args }, signal)
  if (!place.ok) return place
  const { upload_url: url, file_id: id } = place.content
  const headers = { 'content-type': 'application/octet-stream' }
  const answer = await exchange(deps, { url, headers, body: new Uint8Array(bytes) }, signal)
  if ('outcome' in answer) return answer
  return answer.status === 200 ? { id } : { outcome: refusedForNow(answer) }
}
