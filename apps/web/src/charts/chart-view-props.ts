import type { Field, Visualization } from '@querypost/visualization'

/** The props of every view of a result. */
export interface ChartViewProps {
  visualization: Visualization
  fields: Field[]
  rows: unknown[][]
}
