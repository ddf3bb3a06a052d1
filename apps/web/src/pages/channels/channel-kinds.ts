import type { Channel, ChannelKind } from '../../api/channels.ts'
import { documentation } from '../../paths.ts'

interface AboutKind {
  label: string
  /** One sentence, beside the choice. */
  description: string
  /** What the form asks for. A kind without a secret is chosen from a list instead. */
  secret?: { label: string; placeholder: string; hint: string }
  help: string
}

export const aboutKinds: Record<ChannelKind, AboutKind> = {
  slack_webhook: {
    label: 'Slack channel',
    description: 'Posts to one channel, with an incoming webhook. Set up in a minute.',
    secret: {
      label: 'Webhook URL',
      placeholder: 'https://hooks.slack.com/services/…',
      hint: 'In Slack: your app, Incoming Webhooks, Add New Webhook to Workspace.',
    },
    help: documentation.slack,
  },
  slack_bot: {
    label: 'Slack workspace',
    description: 'Posts charts as images to any channel that the bot is in, and answers questions there.',
    secret: { label: 'Bot token', placeholder: 'xoxb-…', hint: 'In Slack: your app, OAuth & Permissions, Bot User OAuth Token.' },
    help: documentation.slack,
  },
  teams: {
    label: 'Microsoft Teams',
    description: 'Posts cards to a channel or a chat, with a workflow.',
    secret: {
      label: 'Workflow URL',
      placeholder: 'https://….logic.azure.com/workflows/…',
      hint: 'In Teams: Workflows, “Post to a channel when a webhook request is received”.',
    },
    help: documentation.teams,
  },
  webhook: {
    label: 'Webhook',
    description: 'Sends signed report.sent events to one of your endpoints.',
    help: documentation.webhooks,
  },
}

/** Where a channel posts, as far as its settings say. */
export function placeOf({ settings }: Pick<Channel, 'settings'>): string | undefined {
  return settings['workspace'] ?? settings['host']
}

/** Whether people can ask questions by mentioning the bot. */
export const answersQuestions = ({ settings }: Pick<Channel, 'settings'>): boolean => settings['answersMentions'] === 'yes'
