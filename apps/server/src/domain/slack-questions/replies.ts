import type { SlackMessage } from '../channels/slack/render-blocks.ts'
import { escapeMrkdwn } from '../channels/slack/mrkdwn.ts'
import { shortened } from '../shortened.ts'

/** A reply in plain words. */
export function plainReply(text: string): SlackMessage {
  const shown = escapeMrkdwn(shortened(text, 2_000))
  return { text: shown, blocks: [{ type: 'section', text: { type: 'mrkdwn', text: shown } }] }
}

/** While the agent works. */
export function progressReply(steps: number): SlackMessage {
  const soFar = steps === 0 ? '' : ` ${steps === 1 ? '1 query' : `${steps} queries`} so far.`
  return plainReply(`Looking …${soFar}`)
}

/** Why someone is not answered. Nothing in these texts depends on the data. */
export const declined = {
  not_a_member:
    'Only members of this Querypost organization can ask me. Ask an admin to invite you with the e-mail address of your Slack account.',
  other_workspace: 'I only answer people of this Slack workspace.',
  no_email: 'I can’t see the e-mail address of your Slack account, so I can’t tell whether you may ask. Ask an admin to check the bot’s permissions.',
  shared: 'People outside this workspace can read this conversation, so I don’t answer here. Send me a direct message instead.',
  nothing_asked: 'Ask me a question about your data, for example: “How many orders did we get last week?”',
  too_long: 'That question is too long for me. Ask it in fewer words.',
  still_answering: 'I’m still answering the question before this one. Ask again when I’m done.',
} as const

export const chatDeletedReply = 'The chat was deleted before I could answer.'
