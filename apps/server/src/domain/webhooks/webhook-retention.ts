import { keptMs } from '../../model/kept-times.ts'

/**
 * How long webhook data is kept. The numbers are related: a delivery needs its event's body as long as it may still be sent. The
 * longest case is an event sent again on its last day (28), held for an endpoint that is repeatedly disabled and enabled (34 more),
 * then attempted for a day and a half: 64 days.
 */
const dayMs = 24 * 3600_000

/** How long after its creation an event may be sent again, individually or by a replay. */
export const eventResentWithinMs = 28 * dayMs
/** How far back the log goes: a delivery is held within a day and a half, and kept for 30 days from then. */
export const deliveryKeptMs = keptMs.webhookDeliveries
export const heldKeptMs = 30 * dayMs
/** Counted from creation, or re-holding a delivery would extend its 30 days each time. */
export const deliveryKeptAtMostMs = 34 * dayMs
/** A delivery that is still pending then, because its organization has turned webhooks off, could not be sent any more, and goes with its event. */
export const eventKeptMs = keptMs.webhookEvents
/** A transaction that started before the deletion may still write a delivery for the endpoint. */
export const deletedEndpointKeptMs = 3600_000
