import type { Caller } from '../../model/caller.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import type { RenderedReport } from '../../model/report.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import { readReportContent } from '../../store/reports/read-report-content.ts'
import {
  findReportDelivery,
  type LoggedReportDelivery,
  readReportDeliveriesPage,
  type ReportDeliveryFilter,
  resendReportDelivery,
} from '../../store/reports/report-deliveries-log.ts'
import { recordAction } from '../audit/record-action.ts'
import { isId } from '../ids.ts'
import type { ListCursorCodec } from '../pagination/list-cursor.ts'
import { readListPage } from '../pagination/list-page.ts'
import { Refusal } from '../refusal.ts'

/** Newest first. An id that names nothing of the organization matches nothing. */
export async function listReportDeliveries(
  deps: { db: Db; clock: Clock; listCursors: ListCursorCodec },
  caller: Caller,
  request: PageRequest & ReportDeliveryFilter,
): Promise<Page<LoggedReportDelivery>> {
  const { organizationId } = caller
  const { automationId, reportId, automationRunId, state } = request
  const ids = [automationId, reportId, automationRunId].filter((id) => id !== undefined)
  if (!ids.every(isId)) return { items: [] }
  const filter: ReportDeliveryFilter = {
    ...(automationId !== undefined && { automationId }),
    ...(reportId !== undefined && { reportId }),
    ...(automationRunId !== undefined && { automationRunId }),
    ...(state !== undefined && { state }),
  }
  return readListPage(deps, {
    place: { organizationId, list: 'report deliveries', filter: JSON.stringify(filter) },
    request,
    read: async (page) => ({ rows: await readReportDeliveriesPage(deps.db, { organizationId, filter, ...page }) }),
  })
}

/** With what was sent. The link of a request to confirm is for its recipient alone, so its document is left out. */
export async function getReportDelivery(
  deps: { db: Db },
  caller: Caller,
  deliveryId: string,
): Promise<LoggedReportDelivery & { rendered: RenderedReport | null }> {
  const delivery = await requireDelivery(deps.db, caller, deliveryId)
  const rendered = delivery.purpose === 'confirmation' ? null : await readReportContent(deps.db, delivery.contentId)
  return { ...delivery, rendered }
}

/** Sends the same document again. Whether it is wanted is checked as for any other. Does nothing if it is due. */
export async function resendDelivery(
  deps: { db: Db; clock: Clock; random: Random },
  caller: Caller,
  deliveryId: string,
): Promise<LoggedReportDelivery> {
  const delivery = await requireDelivery(deps.db, caller, deliveryId)
  return deps.db.transaction().execute(async (tx) => {
    if (await resendReportDelivery(tx, delivery.id)) {
      const subject = { type: 'report_delivery', id: delivery.id, name: delivery.recipient } as const
      await recordAction({ ...deps, tx }, caller, { action: 'report.resent', subject, details: { reportId: delivery.reportId } })
    }
    return requireDelivery(tx, caller, deliveryId)
  })
}

async function requireDelivery(db: Db, { organizationId }: Caller, deliveryId: string): Promise<LoggedReportDelivery> {
  const delivery = isId(deliveryId) ? await findReportDelivery(db, { organizationId, deliveryId }) : undefined
  if (delivery) return delivery
  const named = JSON.stringify(deliveryId.slice(0, 100))
  throw new Refusal('report_delivery_not_found', `There is no report delivery ${named}. It may be older than the log.`)
}
