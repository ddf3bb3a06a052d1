import type { ChartElement } from './chart-element.ts'
import type { Column } from './columns.ts'
import type { Field } from './fields.ts'
import type { ChartShape } from './shape.ts'

export interface ChartInput {
  fields: readonly Field[]
  rows: readonly (readonly unknown[])[]
  element: ChartElement
  /** For drawings with less room than a page. */
  maxRows?: number
  /** The locale of the labels; by default the reader's. */
  locale?: string
}

/** Values by the keys that the chart's elements use now. `row`: its place in the result; -1 if made of several rows. */
export interface ChartPoint {
  row: number
  [key: string]: string | number | null
}

/**
 * A column's name may be any text, and drawing libraries read names as paths into objects. So each use of a column gets its own
 * *key* (`label0`, `number1`), which the chart's elements use instead.
 *
 * A use is a *label* (text at a category), a *number*, or a *time* (milliseconds, on a time axis).
 */
export interface KeyedChart {
  element: ChartElement
  keys: ReadonlyMap<string, KeyUse>
  pointOf(row: readonly unknown[]): Omit<ChartPoint, 'row'>
}

export interface KeyUse {
  use: ColumnUse
  column: Column
  /** As shown on an axis. */
  label(value: unknown): string
}

export type ColumnUse = 'label' | 'number' | 'time'

/**
 * Prepares a result for drawing. Numbers are parsed from the text of decimals and large integers, moments get labels, and there are
 * never more points than a screen can show. `notes` says what was left out or combined; `problems` says why the chart cannot be
 * drawn, and what to do.
 */
export interface PreparedChart extends Omit<KeyedChart, 'pointOf'> {
  shape: ChartShape
  points: ChartPoint[]
  notes: string[]
  problems: string[]
}
