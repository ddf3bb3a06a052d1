import type { Column, Decimal, Step } from '@querypost/answers'
import type { Place } from './operands.ts'

/** What a digest reports about one reference, as data. `words.ts` turns it into text. */
export interface Findings {
  headline: Headline
  /** Most important first. */
  points: Point[]
  /** Whether anything changed beyond noise. True if there is nothing to compare with. */
  isNotable: boolean
  /** Whether everything comparable is exactly as before. */
  isSame: boolean
}

export interface Change {
  from: Decimal
  /** Where `from` comes from. */
  place: Place
  difference: Decimal
  /** Null for changes from zero or across it. */
  percent: Decimal | null
}

export interface Figure {
  column: Column
  value: Decimal
  place: Place
  /** Since the last run; for a period, since the previous period. */
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
  /** For the previous period: whether it directly precedes this one, with no gap. */
  isAdjacent: boolean
}

export type Point =
  | { kind: 'query_changed' }
  | { kind: 'first_report' }
  | { kind: 'not_comparable'; why: 'too_large' | 'too_many_keys' | 'too_large_before' }
  /** Another figure besides the headline's: a total, or one of the same period. */
  | { kind: 'figure'; figure: Figure; isTotal: boolean }
  /** The rows with this key contributed most to the change of a total since the last run. */
  | { kind: 'contribution'; column: Column; by: Column[]; item: KeyedFigure }
  | { kind: 'row_count'; rowCount: number; change: Change }
  | { kind: 'largest'; column: Column; rows: KeyedFigure[]; total: Decimal; totalPlace: Place }
  /** Since the previous period, or, without a step, since the last run. */
  | { kind: 'movers'; column: Column; up: KeyedFigure[]; down: KeyedFigure[]; since: Step | null }
  /** `morePlace` is that of the keys that are not named. */
  | { kind: 'new_keys' | 'vanished_keys'; count: number; names: string[]; morePlace: Place }
  | { kind: 'new_periods'; count: number; step: Step; place: Place }
  | { kind: 'revised'; column: Column; count: number; step: Step; largest: KeyedFigure }
  | { kind: 'so_far'; figure: Figure; period: PeriodName }
  | { kind: 'unusual'; column: Column; items: (KeyedFigure & { isHigh: boolean })[]; typical: Decimal; typicalPlace: Place; step: Step | null }

export interface KeyedFigure {
  /** The key as shown to readers; for a series, the start of the period. */
  name: string
  value: Decimal
  place: Place
  change: Change | null
}
