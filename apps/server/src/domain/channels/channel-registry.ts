import type { ChannelKind, ChannelSettings, Conversation } from '../../model/channel.ts'
import type { ChannelMessage } from './channel-message.ts'
import type { ChannelSender, OutgoingReport } from './channel-sender.ts'

/** A kind of channel. To add one, write a folder beside this file and register it where `ChannelRegistry` is built. */
export interface ChannelDefinition extends ChannelSender {
  kind: ChannelKind
  /** Checks what an admin entered, and separates the secret. Throws a refusal that names the wrong field. */
  check(input: ChannelInput, caller: { organizationId: string }): Promise<{ settings: ChannelSettings; secret: string | null }>
  /** For kinds whose secret has several parts: what an admin entered to get it, so that a change can leave parts out. */
  entered?(secret: string): ChannelInput
  /** What `send` posts for the report. */
  compose(report: Omit<OutgoingReport, 'to'>): ChannelMessage
  /** For kinds with several places to choose from. Throws a refusal if the receiver does not answer or rejects the secret. */
  listConversations?(secret: string | null, signal: AbortSignal): Promise<Conversation[]>
}

export interface ChannelInput {
  settings?: ChannelSettings
  /** A URL or a token. */
  secret?: string
}

/** The ways by which this service can send reports. */
export interface ChannelRegistry {
  /** Null if the operator has set up no mail server. */
  email: ChannelSender | null
  kinds: Partial<Record<ChannelKind, ChannelDefinition>>
}
