import type { Column } from './classify-columns.ts'
import type { Decimal } from './decimal.ts'
import type { Step } from './periods.ts'

/** What a digest has to say of one reference, as data. `words.ts` says it. */
export interface Findings {
  headline: Headline
  /** The most important first. */
  points: Point[]
  /** Whether anything changed beyond noise; always, when there is nothing to compare with. */
  isNotable: boolean
  /** Whether all that can be compared is exactly as it was. */
  isSame: boolean
}

export interface Change {
  from: Decimal
  difference: Decimal
  /** Null from zero and across it. */
  percent: Decimal | null
}

export interface Figure {
  column: Column
  value: Decimal
  /** Since the last run; for a period, since the period before. */
  change: Change | null
}

export type Headline =
  | { kind: 'figure'; figure: Figure }
  | { kind: 'total'; figure: Figure; rowCount: number }
  | { kind: 'period'; figure: Figure; period: PeriodName; before: PeriodName | null; isComplete: boolean }
  | { kind: 'rows'; rowCount: number; change: Change | null }

export interface PeriodName {
  begin: string
  step: Step
  /** For the one before: whether it is really the next before, with no gap. */
  isAdjacent: boolean
}

export type Point =
  | { kind: 'query_changed' }
  | { kind: 'first_look' }
  | { kind: 'not_comparable'; why: 'too_large' | 'too_many_keys' | 'too_large_before' }
  /** Another figure beside the headline's: a total, or that of the same period. */
  | { kind: 'figure'; figure: Figure; isTotal: boolean }
  | { kind: 'row_count'; rowCount: number; change: Change }
  | { kind: 'largest'; column: Column; rows: KeyedFigure[]; total: Decimal }
  /** Since the period before, or, without a step, since the last run. */
  | { kind: 'movers'; column: Column; up: KeyedFigure[]; down: KeyedFigure[]; since: Step | null }
  | { kind: 'new_keys' | 'vanished_keys'; count: number; names: string[] }
  | { kind: 'new_periods'; count: number; step: Step }
  | { kind: 'revised'; column: Column; count: number; step: Step; largest: KeyedFigure }
  | { kind: 'so_far'; figure: Figure; period: PeriodName }
  | { kind: 'unusual'; column: Column; items: (KeyedFigure & { isHigh: boolean })[]; typical: number; step: Step | null }

export interface KeyedFigure {
  /** The key as a reader sees it; for a series, where the period begins. */
  name: string
  value: Decimal
  change: Change | null
}
