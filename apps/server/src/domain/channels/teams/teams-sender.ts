import type { SendOutcome } from '../../../model/report.ts'
import { withEllipsis } from '../../../ports/cut-text.ts'
import type { ChannelSender } from '../channel-sender.ts'
import { type Answer, exchange, type ExchangeDeps, refusedForNow } from '../exchange.ts'
import { requireChannel, requireSecret } from '../require-channel.ts'
import { renderTeamsMessage } from './render-card.ts'

/**
 * Sends reports to a workflow of Microsoft Teams that starts "when a webhook request is received". Its URL is the secret. The answer
 * says only that the workflow has started: Teams posts the card later.
 */
export function makeTeamsSender(deps: ExchangeDeps): ChannelSender {
  return {
    async send({ document, images, to }, signal) {
      const url = requireSecret(requireChannel(to))
      const body = JSON.stringify(renderTeamsMessage(document, images))
      const answer = await exchange(deps, { url, headers: { 'content-type': 'application/json' }, body }, signal)
      return 'outcome' in answer ? answer.outcome : judge(answer)
    },
  }
}

const brokenStatuses: ReadonlySet<number> = new Set([401, 403, 404, 410])

function judge(answer: Answer): SendOutcome {
  const { status, text } = answer
  if (status >= 200 && status < 300) return { kind: 'sent' }
  if (status === 429 || status >= 500 || status === 408) return refusedForNow(answer)
  const isChannelBroken = brokenStatuses.has(status)
  const said = messageOf(text)
  const remedy = isChannelBroken ? ' The workflow was deleted, disabled or does not allow anyone to start it.' : ''
  return { kind: 'refused_for_good', detail: `Teams answered ${status}${said === '' ? '' : `: ${said}`}.${remedy}`, isChannelBroken }
}

/** Power Automate answers `{"error":{"code":…,"message":…}}`. */
function messageOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } }
    return typeof error?.message === 'string' ? withEllipsis(error.message.replaceAll(/\s+/g, ' ').replace(/\.$/, ''), 200) : ''
  } catch {
    return ''
  }
}
