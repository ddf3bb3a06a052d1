/**
 * A *series* shows how an endpoint has been doing: the deliveries of a period in parts of equal length, oldest first, by their
 * creation time and current state. Tests are not counted, nor are deliveries waiting for their first attempt.
 *
 * *Retrying* deliveries have failed at least once and will be retried: they show that an endpoint is down long before its first
 * delivery has used up all attempts, a day and a half later.
 */
export interface EndpointSeries {
  parts: SeriesPart[]
  /** Set if there were more deliveries than are scanned: the series starts here, within its period. */
  countedFrom: Date | null
}

export interface SeriesPart {
  /** When it starts. */
  at: Date
  delivered: number
  retrying: number
  exhausted: number
  held: number
}

export const seriesPeriods = ['day', 'week'] as const
export type SeriesPeriod = (typeof seriesPeriods)[number]
