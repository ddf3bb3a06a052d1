import type { ClaimedReportDelivery } from '../../model/report-work.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Tx } from '../../store/db.ts'
import { findSentBoardReports } from '../../store/reports/find-sent-board-reports.ts'
import { publishEvent } from '../webhooks/events/publish-event.ts'

/** Publishes for each delivery that a board was sent to a recipient or a channel, in the transaction that records it. */
export async function publishReportsSent(
  deps: { tx: Tx; clock: Clock; random: Random; baseUrl: string },
  deliveries: readonly ClaimedReportDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return
  const sent = new Map(deliveries.map((delivery) => [delivery.id, delivery]))
  for (const { deliveryId, ...report } of await findSentBoardReports(deps.tx, [...sent.keys()])) {
    const { organizationId, channel, recipient } = sent.get(deliveryId)!
    const boardUrl = `${deps.baseUrl}/b/${report.boardShortId}`
    const data = { ...report, reportDeliveryId: deliveryId, boardUrl, channel: channel?.kind ?? 'email', recipient }
    await publishEvent(deps, { organizationId, content: { type: 'board.report.sent', data } })
  }
}
