import type { Attempt } from '../../../model/delivery.ts'
import type { ReportDocument, SendOutcome } from '../../../model/report.ts'
import { badInput } from '../../people/check-text.ts'
import type { MakeAttempt } from '../../webhooks/sending/attempt.ts'
import type { ChannelDefinition } from '../channel-registry.ts'
import { renderEmailText } from '../email/render-text.ts'
import { requireChannel } from '../require-channel.ts'

/** A webhook endpoint of the organization, with its secret as stored. */
export interface ReportReceiver {
  url: string
  isEnabled: boolean
  sealedSecret: Uint8Array
}

export interface WebhookChannelDeps {
  findReceiver(key: { organizationId: string; endpointId: string }): Promise<ReportReceiver | undefined>
  makeAttempt: MakeAttempt
}

/**
 * Sends reports to one of the organization's webhook endpoints, as events of type `report.sent`: with the same envelope, signature and
 * address check as other events, so the same code receives them. They are retried and logged like other reports, not with the
 * deliveries of the endpoint.
 */
export function makeWebhookChannel({ findReceiver, makeAttempt }: WebhookChannelDeps): ChannelDefinition {
  return {
    kind: 'webhook',
    async check({ settings = {} }, { organizationId }) {
      const { endpointId = '' } = settings
      const receiver = await findReceiver({ organizationId, endpointId })
      if (!receiver) throw badInput('/settings/endpointId', 'must be the id of a webhook endpoint of your organization')
      return { settings: { endpointId, host: new URL(receiver.url).host }, secret: null }
    },
    compose: (report) => ({ kind: 'webhook', body: bodyOf(report) }),
    async send({ to, ...report }, signal) {
      const { deliveryId } = report
      const { organizationId, settings } = requireChannel(to)
      const endpointId = settings['endpointId'] ?? ''
      const receiver = await findReceiver({ organizationId, endpointId })
      if (!receiver) return broken('The webhook endpoint was deleted.')
      if (!receiver.isEnabled) return broken('The webhook endpoint is disabled. Enable it first.')
      const body = bodyOf(report)
      const { url, sealedSecret: secret } = receiver
      const delivery = { id: deliveryId, eventId: deliveryId, attemptNumber: 1, leaseNumber: 1, organizationId, endpointId, url, secret, body, orderKey: null }
      const attempt = await makeAttempt(delivery, signal)
      signal.throwIfAborted()
      return attempt ? judge(attempt) : { kind: 'refused_for_now', detail: 'The attempt was interrupted.' }
    },
  }
}

/** Images are left out; their descriptions are in the sections. */
const bodyOf = ({ deliveryId: id, document }: { deliveryId: string; document: ReportDocument }) =>
  JSON.stringify({
    id,
    type: 'report.sent',
    createdAt: document.sentAt,
    data: {
      title: document.title,
      preview: document.preview,
      url: document.link,
      text: renderEmailText(document, { unsubscribeUrl: null }),
      sections: document.sections,
      downloads: document.downloads ?? [],
    },
  })

const broken = (detail: string): SendOutcome => ({ kind: 'refused_for_good', detail, isChannelBroken: true })

function judge({ failure, status }: Attempt): SendOutcome {
  if (!failure) return { kind: 'sent' }
  // The receiver says that it is gone, or nothing may be sent there.
  if (status === 410 || failure.kind === 'address_refused' || failure.kind === 'secret_unreadable') return broken(failure.message)
  return { kind: 'refused_for_now', detail: failure.message }
}
