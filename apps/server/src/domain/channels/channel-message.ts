import type { SlackMessage } from './slack/render-blocks.ts'
import type { AdaptiveCard } from './teams/render-card.ts'

/** What a channel posts for a report, as its sender sends it. People see it in previews and in the log. */
export type ChannelMessage =
  | ({ kind: 'slack'; files: SharedFile[] } & SlackMessage)
  | { kind: 'teams'; card: AdaptiveCard }
  /** The body of the request, in JSON. */
  | { kind: 'webhook'; body: string }

/** A file below a message of Slack. */
export interface SharedFile {
  title: string
  /** For people who do not see a chart. */
  altText?: string
  fileName: string
  bytes: Uint8Array
}
