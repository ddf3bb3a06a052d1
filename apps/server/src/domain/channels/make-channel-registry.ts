import type { Mail } from '../../ports/mail.ts'
import type { ChannelRegistry } from './channel-registry.ts'
import { makeEmailSender } from './email/email-sender.ts'
import { makeSlackBotChannel, makeSlackWebhookChannel } from './slack/slack-channels.ts'
import type { SlackApiDeps } from './slack/slack-api.ts'
import { makeTeamsChannel } from './teams/teams-channel.ts'
import { makeWebhookChannel, type WebhookChannelDeps } from './webhook/webhook-channel.ts'

export interface ChannelDeps extends SlackApiDeps, WebhookChannelDeps {
  /** Null if the operator has not set up a mail server. */
  mail: Mail | null
}

/** All ways to send reports. To add a channel, write its folder and register it here. */
export function makeChannelRegistry(deps: ChannelDeps): ChannelRegistry {
  return {
    email: deps.mail && makeEmailSender({ mail: deps.mail }),
    kinds: {
      slack_webhook: makeSlackWebhookChannel(deps),
      slack_bot: makeSlackBotChannel(deps),
      teams: makeTeamsChannel(deps),
      webhook: makeWebhookChannel(deps),
    },
  }
}
