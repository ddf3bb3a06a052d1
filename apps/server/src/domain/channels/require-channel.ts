import type { DeliveryTarget } from '../../model/report.ts'

type ChannelTarget = Extract<DeliveryTarget, { kind: 'channel' }>

export function requireChannel(to: DeliveryTarget): ChannelTarget {
  if (to.kind !== 'channel') throw new Error('a report for an e-mail address was given to the sender of a channel')
  return to
}

export function requireSecret({ secret, channelId }: ChannelTarget): string {
  if (secret === null) throw new Error(`the channel ${channelId} has no secret`)
  return secret
}
