import type { ClaimedReportDelivery } from '../../model/report-work.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Tx } from '../../store/db.ts'
import { findSentBoardReport } from '../../store/reports/find-sent-board-report.ts'
import { publishEvent } from '../webhooks/events/publish-event.ts'

/** Publishes that a board was sent to a recipient or a channel, in the transaction that records it. */
export async function publishReportSent(
  deps: { tx: Tx; clock: Clock; random: Random; baseUrl: string },
  delivery: ClaimedReportDelivery,
): Promise<void> {
  const { organizationId, id: reportDeliveryId, channel, recipient } = delivery
  const report = await findSentBoardReport(deps.tx, { organizationId, deliveryId: reportDeliveryId })
  if (!report) return
  const boardUrl = `${deps.baseUrl}/b/${report.boardShortId}`
  const data = { ...report, reportDeliveryId, boardUrl, channel: channel?.kind ?? 'email', recipient }
  await publishEvent(deps, { organizationId, content: { type: 'board.report.sent', data } })
}
