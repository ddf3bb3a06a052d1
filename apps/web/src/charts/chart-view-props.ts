import type { Field, Visualization } from '@querypost/visualization'

/** What every view of a result takes. */
export interface ChartViewProps {
  visualization: Visualization
  fields: Field[]
  rows: unknown[][]
}
