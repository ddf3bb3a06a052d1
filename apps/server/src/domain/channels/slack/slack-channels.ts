import type { ChannelDefinition } from '../channel-registry.ts'
import { checkReceiverUrl } from '../check-url.ts'
import type { ExchangeDeps } from '../exchange.ts'
import { badInput } from '../../people/check-text.ts'
import { composeForBot, makeSlackBotSender } from './bot-sender.ts'
import { makeListConversations } from './conversations.ts'
import { renderSlackMessage } from './render-blocks.ts'
import { callSlack, type SlackApiDeps } from './slack-api.ts'
import { readSlackSecret, writeSlackSecret } from './slack-secret.ts'
import { makeSlackWebhookSender } from './webhook-sender.ts'

export function makeSlackWebhookChannel(deps: ExchangeDeps): ChannelDefinition {
  return {
    kind: 'slack_webhook',
    ...makeSlackWebhookSender(deps),
    compose: ({ document }) => ({ kind: 'slack', ...renderSlackMessage(document), files: [] }),
    async check({ secret: given }) {
      const { secret, host } = checkReceiverUrl(given, 'https://hooks.slack.com/services/…')
      return { settings: { host }, secret }
    },
  }
}

const botToken = /^xoxb-[\w-]+$/
/** As Slack shows it: 32 hexadecimal digits. */
const signingSecretForm = /^[\da-f]{32}$/

/**
 * A bot of a workspace. `secret` is its token. `settings.signingSecret` may be given too: it is sealed with the token, and lets people
 * ask questions by mentioning the bot.
 */
export function makeSlackBotChannel(deps: SlackApiDeps): ChannelDefinition {
  const listConversations = makeListConversations(deps)
  return {
    kind: 'slack_bot',
    ...makeSlackBotSender(deps),
    compose: composeForBot,
    async check({ secret: given = '', settings = {} }) {
      const token = given.trim()
      if (!botToken.test(token)) throw badInput('/secret', 'must be the token of a bot, which begins with xoxb-')
      const signingSecret = settings['signingSecret']?.trim() || null
      if (signingSecret !== null && !signingSecretForm.test(signingSecret)) {
        throw badInput('/settings/signingSecret', 'must be the signing secret of the Slack app: 32 hexadecimal digits')
      }
      const { signal } = new AbortController()
      const answer = await callSlack<Identity>(deps, { token, method: 'auth.test', args: {} }, signal)
      if (!answer.ok) throw badInput('/secret', `was not accepted: ${answer.outcome.detail.replace(/\.$/, '')}`)
      const { team, team_id: teamId, user_id: botUserId } = answer.content
      const answers = signingSecret === null ? 'no' : 'yes'
      return { settings: { workspace: team, teamId, botUserId, answersMentions: answers }, secret: writeSlackSecret({ token, signingSecret }) }
    },
    entered(secret) {
      const { token, signingSecret } = readSlackSecret(secret)
      return { secret: token, settings: { signingSecret: signingSecret ?? '' } }
    },
    listConversations: (secret) => listConversations(readSlackSecret(secret!).token),
  }
}

interface Identity {
  team: string
  team_id: string
  user_id: string
}
