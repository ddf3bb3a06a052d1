import type { Random } from '../../ports/random.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ReportDocument } from '../../model/report.ts'
import type { NewReportContent, NewReportDelivery } from '../../model/report-work.ts'
import type { Tx } from '../../store/db.ts'
import { findOrganization } from '../../store/people/organizations-table.ts'
import { insertReportContents, insertReportDeliveries } from '../../store/reports/insert-report-deliveries.ts'
import { insertReportAddresses } from '../../store/reports/report-addresses-table.ts'
import { escapeMarkdown } from '@querypost/answers'
import { newId } from '../ids.ts'
import type { ReportLinks } from '../report-links.ts'
import type { TokenBucket } from '../token-bucket.ts'
import { dueInMs } from './report-pace.ts'

export interface AskDeps {
  tx: Tx
  clock: Clock
  random: Random
  reportLinks: ReportLinks
  reportPace: TokenBucket
}

/**
 * Asks outside addresses that the organization has not asked before to confirm. The requests are deliveries like any other, so they are
 * retried and logged like any other.
 */
export async function askToConfirm(
  deps: AskDeps,
  input: { organizationId: string; reportId: string; emails: string[]; requestedBy: string },
): Promise<void> {
  const { organizationId, reportId } = input
  const emails = [...new Set(input.emails)]
  if (emails.length === 0) return
  const isNew = await insertReportAddresses(deps.tx, { organizationId, emails, requestedBy: input.requestedBy })
  await sendRequests(deps, { organizationId, reportId, emails: isNew })
}

/** Also for an address that was asked before and lost the e-mail. */
export async function sendRequests(
  deps: AskDeps,
  { organizationId, reportId, emails }: { organizationId: string; reportId: string; emails: string[] },
): Promise<void> {
  if (emails.length === 0) return
  const organizationName = (await findOrganization(deps.tx, organizationId))?.name ?? ''
  const contents: NewReportContent[] = []
  const deliveries: NewReportDelivery[] = []
  for (const [position, email] of emails.entries()) {
    const link = deps.reportLinks.confirmUrl({ organizationId, email })
    const document = confirmationRequest({ organizationName, link, sentAt: deps.clock.now() })
    const contentId = newId(deps.random, 'rct')
    contents.push({ id: contentId, document, images: new Map(), attachments: [], linkedFiles: [] })
    const recipient = { recipient: email, userId: null, channelId: null, values: null }
    deliveries.push({ id: newId(deps.random, 'rdl'), purpose: 'confirmation', ...recipient, contentId, dueInMs: dueInMs(deps.reportPace, position) })
  }
  await insertReportContents(deps.tx, { organizationId, contents })
  await insertReportDeliveries(deps.tx, { organizationId, reportId, jobId: null, agentRunId: null }, deliveries)
}

function confirmationRequest(options: { organizationName: string; link: string; sentAt: Date }): ReportDocument {
  const { organizationName, link } = options
  const request = `${escapeMarkdown(organizationName)} wants to send you reports by e-mail. Nothing is sent until you confirm.`
  return {
    title: `Confirm that you want reports from ${organizationName}`,
    preview: `${organizationName} wants to send you reports with Querypost. Nothing is sent until you confirm.`,
    link,
    sentAt: options.sentAt.toISOString(),
    sections: [{ kind: 'text', markdown: `${request}\n\n[Confirm this address](${link})`, figures: [] }],
    note: 'If you did not expect this, ignore this e-mail. You won’t be asked again.',
  }
}
