import type { Field, Visualization } from '@querypost/visualization'

/** The props of every view of a result. */
export interface ChartViewProps {
  visualization: Visualization
  fields: Field[]
  rows: unknown[][]
  /** Whether the page shows the rows as a table elsewhere, so that the chart need not offer it. */
  hasTable?: boolean
}
