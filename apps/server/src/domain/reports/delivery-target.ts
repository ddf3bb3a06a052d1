import type { DeliveryTarget } from '../../model/report.ts'
import type { ClaimedReportDelivery } from '../../model/report-work.ts'
import type { ChannelRegistry } from '../channels/channel-registry.ts'
import { channelSecretContext } from '../channels/channel-secret.ts'
import type { ChannelSender } from '../channels/channel-sender.ts'
import type { Sealer } from '../sealing.ts'
import type { ReportLinks } from '../report-links.ts'

export function targetOf(
  { sealer, reportLinks }: { sealer: Sealer; reportLinks: ReportLinks },
  { organizationId, reportId, purpose, recipient, channel }: ClaimedReportDelivery,
): DeliveryTarget {
  if (!channel) {
    const unsubscribeUrl =
      purpose === 'confirmation' ? null : reportLinks.unsubscribeUrl({ organizationId, reportId, email: recipient })
    return { kind: 'email', address: recipient, unsubscribeUrl }
  }
  const { id, kind, settings, sealedSecret, conversation } = channel
  return {
    kind: 'channel',
    organizationId,
    channelId: id,
    channelKind: kind,
    settings,
    secret: sealedSecret && sealer.open(sealedSecret, channelSecretContext(id)),
    ...(conversation !== null && { conversation }),
  }
}

export function senderOf(registry: ChannelRegistry, target: DeliveryTarget): ChannelSender | { reason: string } {
  if (target.kind === 'email') return registry.email ?? { reason: 'The service has no mail server. Ask the operator to set one up.' }
  return registry.kinds[target.channelKind] ?? { reason: 'This service cannot send to channels of this kind.' }
}
