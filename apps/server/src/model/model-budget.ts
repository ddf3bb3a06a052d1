/**
 * An organization's *budget* limits what the model agent may use. It consists of *limits* in tokens or money, and of *prices*, which
 * turn tokens into money.
 *
 * - A limit applies to the whole organization or to each person, and to each day or calendar month (UTC, by the store's time).
 * - What an automation uses counts for the person who created it.
 * - Use is recorded after each request to the model and checked before each. So requests in flight when a limit is reached still count,
 *   and a limit can be exceeded by as many requests as are in flight.
 */
export interface ModelBudget {
  /** Three letters, such as EUR. Null if there are no prices and no limits in money. */
  currency: string | null
  limits: ModelLimit[]
  prices: ModelPrice[]
}

export const limitScopes = ['organization', 'person'] as const
export const limitPeriods = ['day', 'month'] as const
export const limitUnits = ['tokens', 'money'] as const
export type LimitScope = (typeof limitScopes)[number]
export type LimitPeriod = (typeof limitPeriods)[number]
export type LimitUnit = (typeof limitUnits)[number]

export interface ModelLimit {
  scope: LimitScope
  period: LimitPeriod
  unit: LimitUnit
  amount: number
}

/** Prices of a million tokens. */
export interface ModelPrice {
  model: string
  inputPrice: number
  outputPrice: number
}

/** What has been used so far in the current day and month. */
export interface SpentAmount {
  scope: LimitScope
  period: LimitPeriod
  tokens: number
  /** Without models that have no price. */
  money: number
}

/** Use of the model over some period. */
export interface ModelUse {
  inputTokens: number
  outputTokens: number
  /** How many requests were sent to the model. */
  requestCount: number
  /** Null if the models have no price. */
  cost: number | null
}

export interface DailyModelUse extends ModelUse {
  /** YYYY-MM-DD, UTC. */
  day: string
}

/** The use of one person, one automation, or one model. */
export interface ModelUseGroup extends ModelUse {
  days: DailyModelUse[]
}
