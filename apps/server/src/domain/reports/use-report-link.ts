import type { Origin } from '../../model/caller.ts'
import type { AddressState } from '../../model/report.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import { findOrganization } from '../../store/people/organizations-table.ts'
import {
  confirmReportAddress,
  deleteUnsubscription,
  insertUnsubscription,
  readReportAddresses,
  readUnsubscribed,
} from '../../store/reports/report-addresses-table.ts'
import { findNameOfReport } from '../../store/reports/reports-table.ts'
import { unnamedActor } from '../audit/actor.ts'
import { recordAction } from '../audit/record-action.ts'
import { Refusal } from '../refusal.ts'
import type { ReportLink, ReportLinks } from '../report-links.ts'
import { getOpenDownload } from './open-report-file.ts'

export interface LinkDeps {
  db: Db
  clock: Clock
  random: Random
  reportLinks: ReportLinks
}

/** What the page of a link shows. */
export type ReportLinkInFull =
  | { kind: 'confirm'; email: string; organizationName: string; state: AddressState }
  | { kind: 'unsubscribe'; email: string; organizationName: string; reportName: string; isUnsubscribed: boolean }
  | { kind: 'download'; fileName: string; organizationName: string; sizeBytes: number | null; expiresAt: Date }

/** Reading a link changes nothing, because mail scanners open links too. */
export async function readReportLink(deps: LinkDeps, token: string): Promise<ReportLinkInFull> {
  const link = deps.reportLinks.read(token)
  if (link.kind === 'download') {
    const { fileName, organizationName, sizeBytes, expiresAt } = await getOpenDownload(deps.db, link)
    return { kind: 'download', fileName, organizationName, sizeBytes, expiresAt }
  }
  const { organizationId, email } = link
  const organizationName = (await findOrganization(deps.db, organizationId))?.name
  if (organizationName === undefined) throw gone()
  if (link.kind === 'confirm') {
    const [address] = await readReportAddresses(deps.db, { organizationId, emails: [email] })
    if (!address) throw gone()
    return { kind: 'confirm', email, organizationName, state: address.state }
  }
  const reportName = await nameOf(deps, link)
  const isUnsubscribed = (await readUnsubscribed(deps.db, link.reportId)).includes(email)
  return { kind: 'unsubscribe', email, organizationName, reportName, isUnsubscribed }
}

/** The address gets reports of the organization from now on. Confirming twice changes nothing. */
export async function confirmAddress(deps: LinkDeps, token: string, { origin }: { origin: Origin | undefined }): Promise<void> {
  const link = deps.reportLinks.read(token)
  if (link.kind !== 'confirm') throw gone()
  const { organizationId, email } = link
  await deps.db.transaction().execute(async (tx) => {
    const confirmed = await confirmReportAddress(tx, { organizationId, email, now: deps.clock.now() })
    if (confirmed === 'unknown') throw gone()
    if (confirmed === 'already') return
    await recordAction({ ...deps, tx }, unnamedActor('anonymous', { organizationId, origin }), {
      action: 'report.address_confirmed',
      subject: { type: 'report_address', id: null, name: email },
    })
  })
}

/** Nothing of the report is sent to the address any more, whatever is due. Works for deleted reports too. */
export async function unsubscribe(deps: LinkDeps, token: string, { origin }: { origin: Origin | undefined }): Promise<void> {
  await setSubscription(deps, token, { origin, isWanted: false })
}

/** For someone who clicked the wrong link. */
export async function resubscribe(deps: LinkDeps, token: string, { origin }: { origin: Origin | undefined }): Promise<void> {
  await setSubscription(deps, token, { origin, isWanted: true })
}

async function setSubscription(
  deps: LinkDeps,
  token: string,
  { origin, isWanted }: { origin: Origin | undefined; isWanted: boolean },
): Promise<void> {
  const link = deps.reportLinks.read(token)
  if (link.kind !== 'unsubscribe') throw gone()
  const { organizationId, reportId, email } = link
  const name = await nameOf(deps, link)
  await deps.db.transaction().execute(async (tx) => {
    const isChanged = isWanted
      ? await deleteUnsubscription(tx, { reportId, email })
      : await insertUnsubscription(tx, { reportId, email, now: deps.clock.now() })
    if (!isChanged) return
    await recordAction({ ...deps, tx }, unnamedActor('anonymous', { organizationId, origin }), {
      action: isWanted ? 'report.resubscribed' : 'report.unsubscribed',
      subject: { type: 'report', id: reportId, name },
      details: { email },
    })
  })
}

async function nameOf(deps: LinkDeps, { organizationId, reportId }: Extract<ReportLink, { kind: 'unsubscribe' }>): Promise<string> {
  const name = await findNameOfReport(deps.db, { organizationId, reportId })
  if (name === undefined) throw gone()
  return name
}

const gone = () => new Refusal('link_not_valid', 'This link is for something that no longer exists. Nothing is sent to you because of it.')
