/**
 * How long webhooks are remembered. The numbers hang together: a delivery needs its event's body for as long as it may
 * still be sent. The longest way is an event sent again on its last day (28), held for an endpoint that is being disabled
 * and enabled again and again (34 more), then tried for a day and a half: 64 days.
 */
const dayMs = 24 * 3600_000

/** From its creation an event may be sent again, by hand or by a replay. */
export const eventResentWithinMs = 28 * dayMs
/** The log goes back this far: what is held is held within a day and a half, and kept 30 days from then. */
export const deliveryKeptMs = 32 * dayMs
export const heldKeptMs = 30 * dayMs
/** From its creation; held again after it was sent, a delivery would else have its 30 days anew each time. */
export const deliveryKeptAtMostMs = 34 * dayMs
export const eventKeptMs = 64 * dayMs
/** A transaction that began before the deletion may still be about to write a delivery for the endpoint. */
export const deletedEndpointKeptMs = 3600_000
