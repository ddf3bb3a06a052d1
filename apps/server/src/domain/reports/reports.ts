import type { AutomationInFull } from '../../model/automation.ts'
import type { Caller } from '../../model/caller.ts'
import { type Report, type ReportAddress, reportLimits } from '../../model/report.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { lockAutomation } from '../../store/automations/automations-table.ts'
import type { Db, Tx } from '../../store/db.ts'
import { readMembers } from '../../store/people/memberships-table.ts'
import { insertTestJob } from '../../store/reports/insert-report-jobs.ts'
import { readReportAddresses, readUnsubscribed, renewAddressRequest } from '../../store/reports/report-addresses-table.ts'
import { findReport, insertReport, lockReport, markReportDeleted, readReports, updateReport } from '../../store/reports/reports-table.ts'
import { auditValue, changesOf } from '../audit/changes.ts'
import { recordAction, recordChange } from '../audit/record-action.ts'
import { getAutomation, notFound } from '../automations/automations.ts'
import { isId, newId } from '../ids.ts'
import { badInput } from '../people/check-text.ts'
import { Refusal } from '../refusal.ts'
import { askToConfirm, sendRequests } from './ask-to-confirm.ts'
import { type CheckDeps, checkReport, outsideAddresses, type ReportInput } from './check-report.ts'
import type { ReportLinks } from '../report-links.ts'
import type { TokenBucket } from '../token-bucket.ts'

export interface ReportsDeps extends CheckDeps {
  clock: Clock
  random: Random
  reportLinks: ReportLinks
  reportPace: TokenBucket
}

/** A report with the state of its outside addresses, and who unsubscribed. */
export interface ReportInFull extends Report {
  addresses: ReportAddress[]
  unsubscribed: string[]
}

export async function listReports(deps: { db: Db }, caller: Caller, automationId: string): Promise<ReportInFull[]> {
  const { id } = await getAutomation(deps, caller, automationId)
  const reports = await readReports(deps.db, { organizationId: caller.organizationId, automationId: id })
  return Promise.all(reports.map((report) => inFull(deps.db, caller, report)))
}

export async function getReport(deps: { db: Db }, caller: Caller, automationId: string, reportId: string): Promise<Report> {
  const { organizationId } = caller
  const report = isId(automationId) && isId(reportId) ? await findReport(deps.db, { organizationId, automationId, reportId }) : undefined
  return report ?? noSuchReport(reportId)
}

/** New outside addresses are asked to confirm. */
export async function createReport(deps: ReportsDeps, caller: Caller, automationId: string, input: ReportInput): Promise<ReportInFull> {
  const { organizationId, userId } = caller
  const automation = await getAutomation(deps, caller, automationId)
  const checked = await checkReport(deps, caller, automation, input)
  const now = deps.clock.now()
  const id = newId(deps.random, 'rep')
  const report: Report = { id, automationId, ...checked, createdBy: userId, createdAt: now, updatedAt: now }
  await deps.db.transaction().execute(async (tx) => {
    if (!(await lockAutomation(tx, { organizationId, automationId }))) return notFound(automationId)
    const { length } = await readReports(tx, { organizationId, automationId })
    if (length >= reportLimits.reports) throw badInput('/target', `cannot be added: the automation has ${length} reports, the maximum`)
    await insertReport(tx, { ...report, organizationId })
    await ask({ ...deps, tx }, caller, report)
    const subject = subjectOf(automation, id)
    await recordAction({ ...deps, tx }, caller, { action: 'report.created', subject, details: detailsOf(report) })
  })
  return inFull(deps.db, caller, report)
}

/** Omitted fields stay as they are. */
export async function editReport(
  deps: ReportsDeps,
  caller: Caller,
  key: { automationId: string; reportId: string },
  input: Partial<ReportInput>,
): Promise<ReportInFull> {
  const { organizationId } = caller
  const automation = await getAutomation(deps, caller, key.automationId)
  const known = await getReport(deps, caller, key.automationId, key.reportId)
  const checked = await checkReport(deps, caller, automation, { ...known, ...input }, known)
  const report = await deps.db.transaction().execute(async (tx) => {
    const before = await lockReport(tx, { organizationId, ...key })
    if (!before) return noSuchReport(key.reportId)
    const after: Report = { ...before, ...checked, updatedAt: deps.clock.now() }
    await updateReport(tx, after)
    await ask({ ...deps, tx }, caller, after)
    const changes = changesOf(detailsOf(before), detailsOf(after))
    const subject = subjectOf(automation, before.id)
    await recordChange({ ...deps, tx }, caller, { action: 'report.changed', subject, details: { changes } })
    return after
  })
  return inFull(deps.db, caller, report)
}

/** Deliveries that are due are dropped. The log stays. */
export async function deleteReport(
  deps: Pick<ReportsDeps, 'db' | 'clock' | 'random'>,
  caller: Caller,
  key: { automationId: string; reportId: string },
): Promise<void> {
  const { organizationId } = caller
  const automation = await getAutomation(deps, caller, key.automationId)
  if (!isId(key.reportId)) return noSuchReport(key.reportId)
  await deps.db.transaction().execute(async (tx) => {
    const report = await lockReport(tx, { organizationId, ...key })
    if (!report) return noSuchReport(key.reportId)
    await markReportDeleted(tx, { reportId: report.id, now: deps.clock.now() })
    const subject = subjectOf(automation, report.id)
    await recordAction({ ...deps, tx }, caller, { action: 'report.deleted', subject, details: detailsOf(report) })
  })
}

/** Sends a test to the caller by e-mail, or to the report's channel. It is prepared and sent like any other. */
export async function testReport(
  deps: ReportsDeps,
  caller: Caller,
  key: { automationId: string; reportId: string },
  { to }: { to: 'me' | 'channel' },
): Promise<void> {
  const { organizationId, userId } = caller
  const automation = await getAutomation(deps, caller, key.automationId)
  const report = await getReport(deps, caller, key.automationId, key.reportId)
  if (to === 'me' && !deps.channels.email) throw badInput('/to', 'cannot be me: the service has no mail server. Ask the operator to set one up')
  if (to === 'channel' && report.target.kind !== 'channel') throw badInput('/to', 'cannot be channel: the report goes to e-mail addresses')
  const id = newId(deps.random, 'rjob')
  await deps.db.transaction().execute(async (tx) => {
    await insertTestJob(tx, {
      id,
      organizationId,
      reportId: report.id,
      requestedBy: userId,
      isForRequester: to === 'me',
      // Any stored result will do for a test.
      resultsSince: new Date(0),
    })
    await recordAction({ ...deps, tx }, caller, { action: 'report.test_sent', subject: subjectOf(automation, report.id), details: { to } })
  })
}

/** Nobody can use this to flood an address. */
const askAgainAfterMs = 3600_000

/** Asks an outside address of the report once more, even if it bounced. */
export async function repeatConfirmation(
  deps: ReportsDeps,
  caller: Caller,
  key: { automationId: string; reportId: string },
  { email }: { email: string },
): Promise<void> {
  const { organizationId } = caller
  const automation = await getAutomation(deps, caller, key.automationId)
  const report = await getReport(deps, caller, key.automationId, key.reportId)
  const { addresses } = await inFull(deps.db, caller, report)
  const address = addresses.find((each) => each.email === email.toLowerCase())
  if (!address || address.state === 'confirmed') {
    throw new Refusal('report_address_not_found', 'The report goes to no such address that has to be confirmed. Check its recipients.')
  }
  await deps.db.transaction().execute(async (tx) => {
    const isAsked = await renewAddressRequest(tx, { organizationId, email: address.email, waitMs: askAgainAfterMs })
    if (!isAsked) throw badInput('/email', 'was asked less than an hour ago; wait a little, then try again')
    await sendRequests({ ...deps, tx }, { organizationId, reportId: report.id, emails: [address.email] })
    await recordAction({ ...deps, tx }, caller, {
      action: 'report.confirmation_sent',
      subject: subjectOf(automation, report.id),
      details: { email: address.email },
    })
  })
}

async function ask(deps: ReportsDeps & { tx: Tx }, { organizationId, userId }: Caller, report: Report): Promise<void> {
  const emails = outsideAddresses(report, await readMembers(deps.tx, organizationId))
  await askToConfirm(deps, { organizationId, reportId: report.id, emails, requestedBy: userId })
}

async function inFull(db: Db, { organizationId }: Caller, report: Report): Promise<ReportInFull> {
  const emails = outsideAddresses(report, await readMembers(db, organizationId))
  const [addresses, unsubscribed] = await Promise.all([
    readReportAddresses(db, { organizationId, emails }),
    readUnsubscribed(db, report.id),
  ])
  return { ...report, addresses, unsubscribed }
}

const subjectOf = ({ name }: AutomationInFull, reportId: string) => ({ type: 'report', id: reportId, name }) as const

const detailsOf = ({ content, target, when, minimumSeverity, values, attachments, isEnabled }: Report) => ({
  content: auditValue(content),
  target: auditValue(target),
  when,
  ...(minimumSeverity !== null && { minimumSeverity }),
  values: auditValue(values && { kind: values.kind, ...(values.kind === 'list' && { count: values.entries.length }) }),
  attachments,
  isEnabled,
})

function noSuchReport(reportId: string): never {
  throw new Refusal('report_not_found', `There is no report ${JSON.stringify(reportId.slice(0, 100))}. It may have been deleted.`)
}
