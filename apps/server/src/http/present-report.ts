import { previewEmailHtml } from '../domain/channels/email/preview-html.ts'
import type { ChannelMessage } from '../domain/channels/channel-message.ts'
import type { ChannelRegistry } from '../domain/channels/channel-registry.ts'
import type { Channel, ChannelKind } from '../model/channel.ts'
import type { RenderedReport } from '../model/report.ts'
import type { ReportLinkInFull } from '../domain/reports/use-report-link.ts'
import type { ShownSlackConnection } from '../domain/slack-questions/slack-connection.ts'
import type { ReportInFull } from '../domain/reports/reports.ts'
import type { LoggedReportDelivery } from '../store/reports/report-deliveries-log.ts'
import { timesAsText } from './times-as-text.ts'

export const presentChannel = ({ organizationId: _, ...channel }: Channel) => timesAsText(channel)

export const presentSlackConnection = ({ problem, ...connection }: ShownSlackConnection) => ({
  ...timesAsText(connection),
  problem: problem && timesAsText(problem),
})

export const presentReport = ({ addresses, ...report }: ReportInFull) => ({
  ...timesAsText(report),
  addresses: addresses.map(({ email, state }) => ({ email, state })),
})

/** The report as its recipients see it: as an e-mail, or as the message of a channel of this kind. */
export const presentRendered = (
  { channels }: { channels: ChannelRegistry },
  { document, images, attachments }: RenderedReport,
  { channelKind, deliveryId = 'rdl_preview' }: { channelKind: ChannelKind | null; deliveryId?: string },
) => {
  const message = channelKind === null ? undefined : channels.kinds[channelKind]?.compose({ document, images, attachments, deliveryId })
  return {
    document,
    message: message ? presentMessage(message) : ({ kind: 'email', html: previewEmailHtml({ document, images }) } as const),
    attachments: attachments.map(({ fileName, contentType, bytes }) => ({ fileName, contentType, sizeBytes: bytes.length })),
  }
}

function presentMessage(message: ChannelMessage) {
  if (message.kind === 'webhook') return message
  if (message.kind === 'teams') return { kind: message.kind, card: { body: message.card.body, actions: message.card.actions } }
  const files = message.files.map(({ title, fileName, bytes }) => ({
    title,
    fileName,
    sizeBytes: bytes.length,
    image: isPng(bytes) ? `data:image/png;base64,${Buffer.from(bytes).toString('base64')}` : null,
  }))
  return { ...message, files }
}

const isPng = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 4)).toString('latin1') === '\u{89}PNG'

export const presentReportLink = (link: ReportLinkInFull) => (link.kind === 'download' ? timesAsText(link) : link)

export const presentReportDelivery = ({ contentId: _, channelKind: _kind, ...delivery }: LoggedReportDelivery) => timesAsText(delivery)
