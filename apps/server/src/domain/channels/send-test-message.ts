import type { Caller } from '../../model/caller.ts'
import { channelLimits } from '../../model/channel.ts'
import type { ReportDocument } from '../../model/report.ts'
import { abortAfter } from '../../ports/clock.ts'
import { findOrganization } from '../../store/people/organizations-table.ts'
import { escapeMarkdown } from '@querypost/answers'
import { requireAdmin } from '../access/require-admin.ts'
import { recordAction } from '../audit/record-action.ts'
import { newId } from '../ids.ts'
import { checkText } from '../people/check-text.ts'
import { Refusal } from '../refusal.ts'
import type { Throttle } from '../throttle.ts'
import { type ChannelsDeps, openChannel } from './channels.ts'

const deadlineMs = 30_000

/**
 * Posts a short message to a channel, enabled or not, and waits for the answer. Throws the receiver's refusal in words, so that an admin
 * who sets up the channel can fix it. The failures of tests are not counted.
 */
export async function sendTestMessage(
  deps: ChannelsDeps & { baseUrl: string; connectionThrottle: Throttle },
  caller: Caller,
  channelId: string,
  input: { conversation?: string },
): Promise<void> {
  requireAdmin(caller)
  const { organizationId } = caller
  const { channel, definition, secret } = await openChannel(deps, caller, channelId)
  const maxCharacters = channelLimits.conversationCharacters
  const conversation = input.conversation === undefined ? undefined : checkText({ path: '/conversation', text: input.conversation, maxCharacters })
  deps.connectionThrottle.take(caller.userId)
  const organizationName = (await findOrganization(deps.db, organizationId))?.name ?? ''
  const document = testMessage({ organizationName, link: `${deps.baseUrl}/settings/channels`, sentAt: deps.clock.now() })
  const { kind: channelKind, settings } = channel
  const to = { kind: 'channel', organizationId, channelId, channelKind, settings, secret, ...(conversation !== undefined && { conversation }) } as const
  const deadline = abortAfter(deps.clock, deadlineMs)
  try {
    const deliveryId = newId(deps.random, 'rdl')
    const outcome = await definition.send({ document, images: new Map(), attachments: [], deliveryId, to }, deadline.signal)
    if (outcome.kind !== 'sent') throw new Refusal('channel_test_failed', outcome.detail)
  } catch (error) {
    if (deadline.signal.aborted) throw new Refusal('channel_test_failed', `No answer within ${deadlineMs / 1000} seconds.`)
    throw error
  } finally {
    deadline.cancel()
  }
  const subject = { type: 'channel', id: channel.id, name: channel.name } as const
  await deps.db.transaction().execute((tx) =>
    recordAction({ ...deps, tx }, caller, { action: 'channel.test_sent', subject, details: { ...(conversation !== undefined && { conversation }) } }),
  )
}

function testMessage(options: { organizationName: string; link: string; sentAt: Date }): ReportDocument {
  const { organizationName } = options
  return {
    title: 'Test message from Querypost',
    preview: `Reports of ${organizationName} can be sent here.`,
    link: options.link,
    sentAt: options.sentAt.toISOString(),
    sections: [{ kind: 'text', markdown: `Reports of **${escapeMarkdown(organizationName)}** can be sent here.`, figures: [] }],
  }
}
