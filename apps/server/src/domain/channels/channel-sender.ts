import type { DeliveryTarget, RenderedReport, SendOutcome } from '../../model/report.ts'

/** One report for one recipient. */
export interface OutgoingReport extends RenderedReport {
  /** The same in every attempt to send the same report, so that receivers can recognize duplicates. */
  deliveryId: string
  to: DeliveryTarget
}

/** Sends reports by one kind of channel. It rejects only with the reason of the signal; everything else is an outcome. */
export interface ChannelSender {
  send(report: OutgoingReport, signal: AbortSignal): Promise<SendOutcome>
}
