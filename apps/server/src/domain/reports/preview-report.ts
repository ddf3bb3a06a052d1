import type { Caller } from '../../model/caller.ts'
import type { ChannelKind } from '../../model/channel.ts'
import type { DropReason, RecipientValues, RenderedReport } from '../../model/report.ts'
import { abortAfter } from '../../ports/clock.ts'
import { readReportAddresses } from '../../store/reports/report-addresses-table.ts'
import { getAutomation } from '../automations/automations.ts'
import { requireChannel } from '../channels/channels.ts'
import { badInput } from '../people/check-text.ts'
import { Refusal } from '../refusal.ts'
import { attachmentMaxBytes } from './attachment-max-bytes.ts'
import { type CheckDeps, checkReport, type ReportInput } from './check-report.ts'
import { linkFiles } from './link-files.ts'
import { readRecipients } from './read-recipients.ts'
import { renderAlert } from './render-alert.ts'
import { noteOf, type RenderDeps, renderReport } from './render-report.ts'

export interface ReportPreview {
  /** Everyone who would get it now, with their values; the first `recipientsShown`. For a channel, none. */
  recipients: PreviewedRecipient[]
  recipientCount: number
  /** Null for e-mail. */
  channelKind: ChannelKind | null
  rendered: RenderedReport
}

export interface PreviewedRecipient {
  email: string
  isMember: boolean
  values: RecipientValues | null
  /** Why nothing would be sent to this recipient now. */
  dropReason: DropReason | null
}

const recipientsShown = 200
const previewDeadlineMs = 60_000
const anyTime = new Date(0)

/**
 * What a recipient would get, before the report is saved: made like the real one, except that stored results are used however old they
 * are. `recipient` is the place in the list of recipients.
 */
export async function previewReport(
  deps: RenderDeps & CheckDeps,
  caller: Caller,
  automationId: string,
  input: ReportInput & { recipient?: number },
): Promise<ReportPreview> {
  const automation = await getAutomation(deps, caller, automationId)
  const { recipient: place = 0, ...given } = input
  // A stored report may name a group that was deleted, and can still be previewed.
  const report = await checkReport(deps, caller, automation, given, given)
  const { target } = report
  const channelKind = target.kind === 'channel' ? (await requireChannel(deps.db, caller, target.channelId)).kind : null
  const deadline = abortAfter(deps.clock, previewDeadlineMs)
  try {
    const recipients = await recipientsOf(deps, caller, report, deadline.signal)
    const chosen = recipients[place]
    if (!chosen && place > 0) throw badInput('/recipient', `is not one of the ${recipients.length} recipients`)
    const note = noteOf({ automationName: automation.name })
    const unlinked =
      report.when === 'alert'
        ? await renderAlert(deps, { organizationId: caller.organizationId, automationId, number: null, note })
        : await renderReport(deps, caller, {
            report: { ...report, automationId },
            agentRunId: null,
            values: chosen?.values ?? null,
            resultsSince: anyTime,
            attachmentMaxBytes: attachmentMaxBytes(channelKind),
            note,
            signal: deadline.signal,
          })
    // Files of a preview are not stored, so there is nothing to link to but the board or the chat.
    const rendered = { ...unlinked, document: linkFiles(unlinked, () => unlinked.document.link) }
    return { recipients: recipients.slice(0, recipientsShown), recipientCount: recipients.length, channelKind, rendered }
  } catch (error) {
    if (!deadline.signal.aborted) throw error
    throw new Refusal('request_timeout', 'The queries of the report take longer than a minute. Refresh the board, then try again.')
  } finally {
    deadline.cancel()
  }
}

async function recipientsOf(
  deps: RenderDeps & CheckDeps,
  caller: Caller,
  { target, values }: Pick<Awaited<ReturnType<typeof checkReport>>, 'target' | 'values'>,
  signal: AbortSignal,
): Promise<PreviewedRecipient[]> {
  if (target.kind === 'channel') return []
  const { organizationId } = caller
  const listed = await readRecipients(deps, caller, { recipients: target.recipients, values }, { resultsSince: anyTime, signal })
  const outside = listed.flatMap(({ email, userId }) => (userId === null ? email : []))
  const states = new Map((await readReportAddresses(deps.db, { organizationId, emails: outside })).map(({ email, state }) => [email, state]))
  return listed.map(({ email, userId, values: own }) => {
    const state = userId === null ? (states.get(email) ?? 'unconfirmed') : 'confirmed'
    return { email, isMember: userId !== null, values: own, dropReason: state === 'confirmed' ? null : state }
  })
}
