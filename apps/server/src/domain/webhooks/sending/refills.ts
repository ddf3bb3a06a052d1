/**
 * A lane is *busy* if its latest claim used all of its room: more is due than the endpoint can get at once. A worker that gives a busy lane
 * new deliveries as soon as earlier ones end uses all the time of its thread and of PostgreSQL, and a delivery to another endpoint waits
 * behind dozens of requests. So while other endpoints get deliveries as well, a busy lane gets a few at a time, with a pause in between.
 * That limits one endpoint to 1,600 deliveries a second for each worker, and all endpoints together to nothing. When nothing else is
 * delivered, there is no pause.
 */
export const refillMax = 16
export const refillEveryMs = 10
/** How long a worker remembers that it has delivered to an endpoint that was not busy. */
const besideOthersMs = 1_000

export interface Refill {
  isBusy: boolean
  /** When a busy lane gets the next deliveries. */
  refillAtMs: number
}

export const isBesideOthers = (servedOthersMs: number, nowMs: number) => nowMs - servedOthersMs < besideOthersMs

/** How much of its room a lane gets in a claim beside others. */
export function refillOf({ isBusy, refillAtMs }: Refill, room: number, nowMs: number): number {
  if (!isBusy) return room
  return nowMs < refillAtMs ? 0 : Math.min(room, refillMax)
}
