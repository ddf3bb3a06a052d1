import type { ClaimedReportJob, ReportJobDecision } from '../../model/report-work.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Tx } from '../../store/db.ts'
import { findMembersToNotify } from '../../store/agent-runs/members-to-notify.ts'
import { isReportJobRecorded, recordReportJob } from '../../store/reports/claim-report-jobs.ts'
import { insertReportContents, insertReportDeliveries } from '../../store/reports/insert-report-deliveries.ts'
import { notify } from '../notifications/notify.ts'
import { shortened } from '../shortened.ts'
import type { TokenBucket } from '../token-bucket.ts'
import { askToConfirm } from './ask-to-confirm.ts'
import type { ReportLinks } from '../report-links.ts'

const messageMaxCharacters = 500
const problemsNamed = 3

/**
 * Records what became of a job, with its documents and deliveries, the requests to confirm new addresses, and the notification of its
 * owner if something failed, in one transaction. False if the lease is lost.
 */
export async function recordPreparedReport(
  deps: { tx: Tx; clock: Clock; random: Random; reportLinks: ReportLinks; reportPace: TokenBucket },
  job: ClaimedReportJob,
  decision: ReportJobDecision,
  options: { endedAgoMs: number },
): Promise<boolean> {
  const { tx } = deps
  if (!(await recordReportJob(tx, job, decision, options))) return isReportJobRecorded(tx, job, decision)
  const { organizationId, report, agentRunId } = job
  if (decision.state === 'prepared') {
    const { contents, deliveries } = decision
    await insertReportContents(tx, { organizationId, contents })
    await insertReportDeliveries(tx, { organizationId, reportId: report.id, jobId: job.id, agentRunId }, deliveries)
    const emails = deliveries.flatMap(({ userId, channelId, recipient }) => (userId === null && channelId === null ? recipient : []))
    await askToConfirm(deps, { organizationId, reportId: report.id, emails, requestedBy: report.createdBy })
  }
  const problem = problemOf(job, decision)
  if (problem === undefined) return true
  const ownerId = job.requestedBy?.userId ?? report.createdBy
  for (const userId of await findMembersToNotify(tx, { organizationId, userOrKeyIds: [ownerId] })) {
    const message = shortened(problem, messageMaxCharacters)
    await notify(deps, { organizationId, userId, kind: 'report_failed', message, link: `/automations/${report.automationId}` })
  }
  return true
}

function problemOf({ automationName }: ClaimedReportJob, decision: ReportJobDecision): string | undefined {
  if (decision.state === 'failed') return `A report of the automation “${automationName}” could not be prepared. ${decision.reason}`
  if (decision.state !== 'prepared' || decision.problems.length === 0) return undefined
  const { problems } = decision
  const more = problems.length > problemsNamed ? ` and ${problems.length - problemsNamed} more` : ''
  const named = problems.slice(0, problemsNamed).join(' ')
  return `Some recipients of a report of the automation “${automationName}” got nothing. ${named}${more}`
}
