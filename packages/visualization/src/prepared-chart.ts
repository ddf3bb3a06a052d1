import type { ChartElement } from './chart-element.ts'
import type { Column } from './columns.ts'
import type { Field } from './fields.ts'
import type { ChartShape } from './shape.ts'

export interface ChartInput {
  fields: readonly Field[]
  rows: readonly (readonly unknown[])[]
  element: ChartElement
  /** For drawers with less room than a page has. */
  maxRows?: number
  /** Of the labels; by default the reader's. */
  locale?: string
}

/** By the keys that the chart's elements name now. `row`: where it stands in the result; -1 when made of several. */
export interface ChartPoint {
  row: number
  [key: string]: string | number | null
}

/**
 * A column's name may be any text, and drawing libraries read names as paths into objects. So each use of a column gets
 * a *key* of ours (`label0`, `number1`), and the chart's elements name those instead.
 *
 * A use is a *label* (text at a category), a *number*, or a *time* (milliseconds, on an axis that is true to time).
 */
export interface KeyedChart {
  element: ChartElement
  keys: ReadonlyMap<string, KeyUse>
  pointOf(row: readonly unknown[]): Omit<ChartPoint, 'row'>
}

export interface KeyUse {
  use: ColumnUse
  column: Column
  /** As it is shown on an axis. */
  label(value: unknown): string
}

export type ColumnUse = 'label' | 'number' | 'time'

/**
 * Makes a result ready to be drawn. Numbers are made of the texts that decimals and long integers come as, moments get
 * labels, and there are never more points than a screen can show. What is left out or put together is told in `notes`;
 * what keeps the chart from being drawn, and what to do about it, in `problems`.
 */
export interface PreparedChart extends Omit<KeyedChart, 'pointOf'> {
  shape: ChartShape
  points: ChartPoint[]
  notes: string[]
  problems: string[]
}
