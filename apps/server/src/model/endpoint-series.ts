/**
 * A *series* tells how an endpoint has been doing: the deliveries of a period in parts of equal length, oldest first, by the time of
 * their creation and the state that they are in by now. Tests are not counted, and neither is what waits for its first attempt.
 *
 * *Retrying* is what has failed at least once and will be tried again: an endpoint that is down shows so long before its first
 * delivery has used up all attempts, a day and a half later.
 */
export interface EndpointSeries {
  parts: SeriesPart[]
  /** Set when there was more than is looked at: the series begins here, within its period. */
  countedFrom: Date | null
}

export interface SeriesPart {
  /** When it begins. */
  at: Date
  delivered: number
  retrying: number
  exhausted: number
  held: number
}

export const seriesPeriods = ['day', 'week'] as const
export type SeriesPeriod = (typeof seriesPeriods)[number]
