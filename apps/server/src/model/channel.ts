/**
 * A *channel* is a place outside Querypost where reports go: a Slack workspace, a Teams workflow, a webhook endpoint. E-mail needs no
 * channel: it is available if the operator has set up a mail server.
 *
 * A channel is *enabled* until several deliveries in a row fail permanently, its receiver says that it no longer exists, or an admin
 * disables it. Only an admin enables it again. Reports that become due while it is disabled are dropped, and say so.
 */
export const channelKinds = ['slack_webhook', 'slack_bot', 'teams', 'webhook'] as const
export type ChannelKind = (typeof channelKinds)[number]

/** The others take only messages, so files become links. */
export const channelsWithFiles: ReadonlySet<ChannelKind> = new Set(['slack_bot'])

export const channelStates = ['enabled', 'disabled'] as const
export type ChannelState = (typeof channelStates)[number]

/** What a kind of channel needs to know, apart from its secret: the name of a workspace, the id of an endpoint. */
export type ChannelSettings = Record<string, string>

export interface Channel {
  id: string
  organizationId: string
  kind: ChannelKind
  name: string
  settings: ChannelSettings
  state: ChannelState
  disabledReason: string | null
  /** Deliveries in a row that failed permanently. */
  failureCount: number
  lastUsedAt: Date | null
  createdBy: string
  createdAt: Date
  updatedAt: Date
}

export interface SealedChannel extends Channel {
  /** The token or the URL that gives access, encrypted. Null for a kind that has none. */
  sealedSecret: Uint8Array | null
}

/** A place within a channel that people can choose: a Slack channel, for example. */
export interface Conversation {
  id: string
  name: string
}

export const channelLimits = {
  nameCharacters: 100,
  secretCharacters: 4_000,
  conversationCharacters: 200,
  /** Of an organization. */
  channels: 100,
} as const
