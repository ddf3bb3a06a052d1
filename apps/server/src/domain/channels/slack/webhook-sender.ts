import type { SendOutcome } from '../../../model/report.ts'
import { withEllipsis } from '../../../ports/cut-text.ts'
import type { ChannelSender } from '../channel-sender.ts'
import { type Answer, exchange, type ExchangeDeps, refusedForNow } from '../exchange.ts'
import { requireChannel, requireSecret } from '../require-channel.ts'
import { renderSlackMessage } from './render-blocks.ts'

/**
 * Sends reports to an incoming webhook of Slack, or of a program that accepts the same, such as Mattermost. The URL is the secret. A
 * webhook takes no files, so charts are links.
 */
export function makeSlackWebhookSender(deps: ExchangeDeps): ChannelSender {
  return {
    async send({ document, to }, signal) {
      const url = requireSecret(requireChannel(to))
      const message = { ...renderSlackMessage(document), unfurl_links: false, unfurl_media: false }
      const answer = await exchange(deps, { url, headers: { 'content-type': 'application/json' }, body: JSON.stringify(message) }, signal)
      return 'outcome' in answer ? answer.outcome : judge(answer)
    },
  }
}

const causes: Record<string, string> = {
  action_prohibited: 'An admin of the workspace does not allow posting there.',
  channel_is_archived: 'The Slack channel is archived.',
  channel_not_found: 'The Slack channel does not exist anymore.',
  no_service: 'The webhook was removed or disabled in Slack.',
  no_active_hooks: 'The webhook was disabled in Slack.',
  no_team: 'The Slack workspace does not exist anymore.',
  team_disabled: 'The Slack workspace is disabled.',
  invalid_token: 'The URL of the webhook is not valid.',
}

function judge(answer: Answer): SendOutcome {
  const { status, text } = answer
  if (status >= 200 && status < 300) return { kind: 'sent' }
  if (status === 429 || status >= 500) return refusedForNow(answer)
  const code = text.trim()
  const detail = causes[code] ?? `Slack answered ${status}: ${withEllipsis(code, 200)}`
  return { kind: 'refused_for_good', detail, isChannelBroken: code in causes || [401, 403, 404, 410].includes(status) }
}
