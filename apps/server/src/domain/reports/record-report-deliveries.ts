import type { ReportDeliveryRecord } from '../../model/report-work.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { lockChannel, noteChannelUse, updateChannel } from '../../store/channels/channels-table.ts'
import type { Tx } from '../../store/db.ts'
import { readAdminIds } from '../../store/people/memberships-table.ts'
import { recordReportAttempts } from '../../store/reports/record-report-attempts.ts'
import { markAddressBounced } from '../../store/reports/report-addresses-table.ts'
import { findOwnerOfReport } from '../../store/reports/reports-table.ts'
import { unnamedActor } from '../audit/actor.ts'
import { recordAction } from '../audit/record-action.ts'
import { notify } from '../notifications/notify.ts'
import { judgeChannel } from './decide-report.ts'
import { publishReportsSent } from './publish-reports-sent.ts'
import { failuresBeforeDisabling } from './report-policy.ts'

interface RecordDeps {
  tx: Tx
  clock: Clock
  random: Random
  baseUrl: string
}

/**
 * Records attempts, and what they mean for their channels and addresses, in one transaction. Returns the ids of the recorded deliveries:
 * the lease of the others is lost.
 */
export async function recordDeliveries(deps: RecordDeps, records: readonly ReportDeliveryRecord[]): Promise<ReadonlySet<string>> {
  const { newIds, knownIds } = await recordReportAttempts(deps.tx, records)
  // A test says nothing about a channel, because people test channels that they are setting up.
  const counted = records.filter(({ delivery: { id, purpose } }) => newIds.has(id) && purpose !== 'test')
  const reports = counted.filter(({ decision, delivery }) => decision.state === 'sent' && delivery.purpose === 'report')
  await publishReportsSent(deps, reports.map(({ delivery }) => delivery))
  for (const record of counted.toSorted(byChannel)) await noteOutcome(deps, record)
  return new Set([...newIds, ...knownIds])
}

/** Channels are locked in the same order by all workers, so that none waits for another in a circle. */
const byChannel = (a: ReportDeliveryRecord, b: ReportDeliveryRecord) => (channelIdOf(a) < channelIdOf(b) ? -1 : 1)
const channelIdOf = ({ delivery: { channel } }: ReportDeliveryRecord) => channel?.id ?? ''

async function noteOutcome(deps: RecordDeps, record: ReportDeliveryRecord): Promise<void> {
  const { decision, delivery: { channel } } = record
  if (channel && decision.state === 'sent') await noteChannelUse(deps.tx, { channelId: channel.id, now: deps.clock.now() })
  if (decision.state !== 'failed') return
  const reason = record.attempt?.detail ?? 'Sending was interrupted every time.'
  if (channel) await countFailure(deps, record, { channelId: channel.id, isTargetBroken: decision.isTargetBroken, reason })
  else if (decision.isTargetBroken) await markBounced(deps, record, reason)
}

async function countFailure(
  deps: RecordDeps,
  { delivery: { organizationId } }: ReportDeliveryRecord,
  failure: { channelId: string; isTargetBroken: boolean; reason: string },
): Promise<void> {
  const { tx } = deps
  const channel = await lockChannel(tx, { organizationId, channelId: failure.channelId })
  // Deleted since it was claimed.
  if (!channel) return
  const { failureCount, isDisabledNow } = judgeChannel(channel, failure)
  const inARow = `${failuresBeforeDisabling} reports in a row could not be sent. Last failure: ${failure.reason}`
  const why = failure.isTargetBroken ? failure.reason : inARow
  const state = isDisabledNow ? ({ state: 'disabled', disabledReason: why } as const) : {}
  await updateChannel(tx, channel.id, { ...channel, failureCount, ...state, now: deps.clock.now() })
  if (!isDisabledNow) return
  await recordAction(deps, unnamedActor('service', { organizationId }), {
    action: 'channel.disabled',
    subject: { type: 'channel', id: channel.id, name: channel.name },
    details: { reason: why, failureCount },
  })
  for (const userId of await readAdminIds(tx, organizationId)) {
    const message = `The channel “${channel.name}” was disabled. ${why} Reports are not sent to it until you enable it.`
    await notify(deps, { organizationId, userId, kind: 'channel_disabled', message, link: '/settings/channels' })
  }
}

/** Nothing is sent to the address again until someone confirms it again. A member's address is not marked. */
async function markBounced(deps: RecordDeps, { delivery }: ReportDeliveryRecord, reason: string): Promise<void> {
  const { organizationId, recipient, reportId } = delivery
  if (!(await markAddressBounced(deps.tx, { organizationId, email: recipient }))) return
  const owner = await findOwnerOfReport(deps.tx, { organizationId, reportId })
  if (!owner) return
  const message = `The mail server does not accept e-mail for ${recipient}: ${reason} Nothing is sent to this address any more.`
  await notify(deps, { organizationId, userId: owner.userId, kind: 'address_bounced', message, link: `/automations/${owner.automationId}` })
}
