import type { ChartElement, ChartValue } from '../chart-element.ts'
import type { ColumnSettings } from '../column-settings.ts'
import type { Field } from '../fields.ts'
import type { ChartShape, SeriesKind } from '../shape.ts'

export interface ChartInput {
  fields: readonly Field[]
  rows: readonly (readonly unknown[])[]
  element: ChartElement
  /** How the columns are shown. */
  columns?: readonly ColumnSettings[] | undefined
  /** For drawings with less room than a page. */
  maxRows?: number
  /** Of the whole result, where `rows` are only those that `chooseDrawnRows` chose. */
  rowCount?: number | undefined
  /** The locale of the labels; by default the reader's. */
  locale?: string
}

/**
 * A result prepared for drawing: every number is computed, exactly, and there are never more points than a screen can show. `notes`
 * says what was left out, combined or added up; `problems` says why the chart cannot be drawn, and what to do.
 *
 * A *point* is one place of a series: a bar, a place on a line, a slice, a country. Points stand at *categories*: months, names. The
 * series of one chart share its categories, except in a scatter chart, where each series has its own points.
 */
export interface PreparedChart {
  shape: ChartShape
  element: ChartElement
  category: Category | null
  /** The rows of a heat map. */
  verticalCategory: Category | null
  series: DrawnSeries[]
  notes: string[]
  problems: string[]
  /** Columns that tell rows with the same category apart, so that the chart can be split by one of them. */
  splitOffers: string[]
}

export interface Category {
  field: Field | null
  title: string | null
  count: number
  /** Made when it is needed: of thousands of categories, a chart shows a few labels. */
  labelAt(index: number): string
  /** On a numeric or time axis; null if the categories are evenly spaced. */
  positions: number[] | null
  isTime: boolean
  /** The text of any place on a numeric or time axis. */
  labelOf(position: number): string
  /** The place of a value written in the chart: an index, or a position on a numeric or time axis. Null if it is outside. */
  placeOf(value: ChartValue): number | null
}

export interface DrawnSeries {
  kind: SeriesKind
  name: string
  /** As given in the chart; otherwise the palette decides. */
  color: string | null
  part: ChartElement
  field: Field
  stackId: string | null
  axisId: string
  /** Whether `values` are shares of 1, stacked up to 100%. */
  isShare: boolean
  /** A line computed from another series. */
  derivedFrom: 'trend' | 'movingAverage' | null
  /** Positions on the value axis. Null where there is nothing to draw. */
  values: (number | null)[]
  /** The exact value, as people read it. */
  textAt(point: number): string
  /** The rows of the result behind a point. */
  rowsAt(point: number): readonly number[]
  /** The color of a single point, from a `Cell`. */
  colorAt(point: number): string | null
  /** Of a scatter chart. */
  places?: ScatterPlaces
  /** Of a heat map: the indexes of the categories. */
  cells?: { x: number; y: number }[]
  /** Of a map: the id of each country's shape. */
  shapeIds?: string[]
}

export interface ScatterPlaces {
  x: number[]
  sizes: (number | null)[] | null
  xTextAt(point: number): string
  sizeTextAt(point: number): string | null
}
