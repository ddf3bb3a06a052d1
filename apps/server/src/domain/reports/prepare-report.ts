import type { Caller } from '../../model/caller.ts'
import { reportLimits } from '../../model/report.ts'
import type { ClaimedReportJob, ReportJobDecision } from '../../model/report-work.ts'
import { findChannel } from '../../store/channels/channels-table.ts'
import type { Random } from '../../ports/random.ts'
import { asViewer } from '../../store/viewer.ts'
import { readAutomationViewer } from '../access/read-access.ts'
import { Refusal } from '../refusal.ts'
import type { ReportLinks } from '../report-links.ts'
import type { TokenBucket } from '../token-bucket.ts'
import { attachmentMaxBytes } from './attachment-max-bytes.ts'
import { composeReport, type ReportAudience } from './compose-report.ts'
import { whyNotSent } from './decide-report.ts'
import { groupByValues } from './list-recipients.ts'
import { readRecipients } from './read-recipients.ts'
import { readValueEntries } from './read-value-entries.ts'
import { renderAlert } from './render-alert.ts'
import { noteOf, type RenderDeps, renderReport } from './render-report.ts'

export type PrepareDeps = RenderDeps & { random: Random; reportLinks: ReportLinks; reportPace: TokenBucket }

/** A report that cannot be prepared as it is. Trying again would give the same. */
class CannotPrepare extends Refusal {
  constructor(message: string) {
    super('invalid_request', message)
  }
}

/**
 * Prepares a job: decides whether the report is sent, lists the recipients, runs the queries of each distinct set of values and renders
 * the documents. Throws a refusal if that will never succeed, and any other error if trying again may help.
 */
export async function prepareReport(deps: PrepareDeps, job: ClaimedReportJob, signal: AbortSignal): Promise<ReportJobDecision> {
  const { organizationId, report } = job
  const viewer = await readAutomationViewer(deps.db, { organizationId, userId: report.createdBy })
  return asViewer(viewer, () => prepare(deps, job, signal))
}

async function prepare(deps: PrepareDeps, job: ClaimedReportJob, signal: AbortSignal): Promise<ReportJobDecision> {
  const { report, isNotable, isConditionMet } = job
  const isTest = job.requestedBy !== null
  const reason = whyNotSent(report.when, { isNotable, isConditionMet, isEnabled: report.isEnabled, isTest })
  if (reason !== undefined) return { state: 'skipped', reason }
  const caller = callerOf(job)
  const audience = await audienceOf(deps, caller, job, signal)
  if (audience.kind === 'email' && audience.recipients.length === 0) return { state: 'skipped', reason: nobody }
  const { contents, deliveries, problems } = await composeReport(
    {
      clock: deps.clock,
      random: deps.random,
      reportPace: deps.reportPace,
      render: (values) =>
        report.when === 'alert'
          ? renderAlert(deps, { organizationId: job.organizationId, automationId: report.automationId, number: job.alertNumber, note: noteOf(job) })
          : renderReport(deps, caller, {
          report,
          agentRunId: job.agentRunId,
          values,
          resultsSince: job.resultsSince,
          attachmentMaxBytes: attachmentMaxBytes(audience.kind === 'channel' ? audience.channelKind : null),
          note: noteOf(job),
          signal,
        }),
      linkTo: (file) => deps.reportLinks.downloadUrl({ organizationId: job.organizationId, ...file }),
    },
    audience,
    isTest ? 'test' : 'report',
  )
  if (contents.length === 0) throw new CannotPrepare(problems[0]!)
  return { state: 'prepared', contents, deliveries, problems }
}

const nobody = 'The report has no recipients now. Groups without members, deleted groups and former members get nothing.'

/** Queries run on behalf of the person who set up the report, or who asked for the test. */
function callerOf({ organizationId, report, creatorRole, requestedBy, agentRunId }: ClaimedReportJob): Caller {
  const role = requestedBy ? requestedBy.role : creatorRole
  const userId = requestedBy?.userId ?? report.createdBy
  if (role === null) throw new CannotPrepare('The person who set up the report left the organization. Set it up again.')
  return { organizationId, userId, role, triggerId: agentRunId ?? userId }
}

async function audienceOf(deps: PrepareDeps, caller: Caller, job: ClaimedReportJob, signal: AbortSignal): Promise<ReportAudience> {
  const { report, requestedBy, isForRequester, resultsSince } = job
  const { organizationId } = caller
  if (isForRequester) {
    const { userId, email } = requestedBy!
    return { kind: 'email', recipients: [{ email, userId, values: await sampleValues(deps, caller, job, signal) }] }
  }
  if (report.target.kind === 'channel') {
    const { channelId } = report.target
    const channel = await findChannel(deps.db, { organizationId, channelId })
    if (!channel) throw new CannotPrepare('The channel of the report was deleted. Choose another one.')
    return { kind: 'channel', channelId, name: channel.name, channelKind: channel.kind }
  }
  const named = { recipients: report.target.recipients, values: report.values }
  const recipients = await readRecipients(deps, caller, named, { resultsSince, signal })
  refuseTooMany(recipients.length, reportLimits.valueEntries, 'recipients')
  refuseTooMany(groupByValues(recipients).length, reportLimits.distinctValues, 'different sets of values')
  return { kind: 'email', recipients }
}

/** A test shows the values of the first recipient that has some. */
async function sampleValues(deps: PrepareDeps, caller: Caller, { report, resultsSince }: ClaimedReportJob, signal: AbortSignal) {
  const [first] = await readValueEntries(deps, caller, report.values, { resultsSince, signal })
  return first?.values ?? null
}

function refuseTooMany(count: number, max: number, what: string): void {
  if (count > max) throw new CannotPrepare(`The report has ${count} ${what}; at most ${max} are possible.`)
}
