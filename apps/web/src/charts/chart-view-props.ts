import type { Field, Visualization } from '@querypost/visualization'
import type { PointAsShown } from '../comments/describe-point.ts'

/** The props of every view of a result. */
export interface ChartViewProps {
  visualization: Visualization
  fields: Field[]
  rows: unknown[][]
  /** The number of all rows, where `rows` are only those that the chart draws. */
  rowCount?: number | undefined
  /** Whether the page shows the rows as a table elsewhere, so that the chart need not offer it. */
  hasTable?: boolean
  /** Whether the chart fills its container instead of having a height of its own. */
  isFilling?: boolean
  /** Called for a chosen mark. Without it, the chart shows the rows behind the mark. */
  onMark?: ((mark: ChartMark) => void) | undefined
  /** Offers to comment on a value of the mark whose rows the chart shows. */
  onComment?: ((point: PointAsShown) => void) | undefined
  /** Offers to split the chart by a column where several rows share a category. Called with the chart that this makes. */
  onSplit?: ((column: string, split: Visualization) => void) | undefined
}

/** A mark of a chart: a bar, a slice, a place on a line. */
export interface ChartMark {
  /** The rows of the result behind the mark, by their index. */
  rows: readonly number[]
  /** As shown in the chart. */
  category: string
  series: string
  /** The values at the mark. */
  points: PointAsShown[]
}
