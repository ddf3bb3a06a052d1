import { expect } from 'vitest'
import type { ChannelDefinition } from '../../src/domain/channels/channel-registry.ts'
import type { OutgoingReport } from '../../src/domain/channels/channel-sender.ts'
import { renderTeamsMessage } from '../../src/domain/channels/teams/render-card.ts'
import { newId } from '../../src/domain/ids.ts'
import { badInput } from '../../src/domain/people/check-text.ts'
import type { SendOutcome } from '../../src/model/report.ts'
import { insertReportContents, insertReportDeliveries } from '../../src/store/reports/insert-report-deliveries.ts'
import type { TestOrganization, TestService } from '../test-service.ts'
import { sampleDocument } from './sample-report.ts'

/** A channel that keeps what it is given. Its secret is a URL. */
export function testChannel(options: { sent?: OutgoingReport[]; outcome?: () => SendOutcome } = {}): ChannelDefinition {
  return {
    kind: 'teams',
    async check({ settings = {}, secret }) {
      if (!secret || !URL.canParse(secret)) throw badInput('/secret', 'must be a URL')
      return { settings, secret }
    },
    compose: ({ document, images }) => ({ kind: 'teams', card: renderTeamsMessage(document, images).attachments[0].content }),
    async send(report) {
      options.sent?.push(report)
      return options.outcome?.() ?? { kind: 'sent' }
    },
  }
}

/** A channel, a report that goes there, and one delivery of it. Needs `testChannel`. */
export async function addReportDelivery(service: TestService, organization: TestOrganization, automationId: string) {
  const { admin } = organization
  const { organizationId } = admin.caller
  const { db, random } = service.services
  const channel = await admin.page('POST', '/app/api/channels', { kind: 'teams', name: 'Sales', secret: 'https://teams.example/sales' })
  expect(channel.statusCode, channel.body).toBe(201)
  const { id: channelId, name: recipient } = channel.json<{ id: string; name: string }>()
  const content = { content: { kind: 'summary' }, target: { kind: 'channel', channelId } }
  const report = await admin.page('POST', `/app/api/automations/${automationId}/reports`, content)
  expect(report.statusCode, report.body).toBe(201)
  const { id: reportId } = report.json<{ id: string }>()
  const [contentId, id] = [newId(random, 'rct'), newId(random, 'rdl')]
  await db.transaction().execute(async (tx) => {
    const contents = [{ id: contentId, document: sampleDocument(), images: new Map(), attachments: [], linkedFiles: [] }]
    await insertReportContents(tx, { organizationId, contents })
    const delivery = { id, purpose: 'report', recipient, userId: null, channelId, values: null, contentId } as const
    await insertReportDeliveries(tx, { organizationId, reportId, jobId: null, agentRunId: null }, [delivery])
  })
  return { channelId, reportId, reportDeliveryId: id }
}
