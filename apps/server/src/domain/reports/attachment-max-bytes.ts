import { type ChannelKind, channelsWithFiles } from '../../model/channel.ts'
import { reportLimits } from '../../model/report.ts'

/** How much can be attached to an e-mail (null) or to a message of a channel. Larger files become links. */
export const attachmentMaxBytes = (channelKind: ChannelKind | null): number =>
  channelKind === null || channelsWithFiles.has(channelKind) ? reportLimits.attachmentBytes : 0
