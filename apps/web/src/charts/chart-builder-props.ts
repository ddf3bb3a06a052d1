import type { Field, Visualization } from '@querypost/visualization'

export interface ChartBuilderProps {
  fields: Field[]
  rows: unknown[][]
  /** Null: no visualization yet. */
  value: Visualization | null
  /** Also told of a text that is not a chart yet: the service says what is wrong with it when it is saved. */
  onChange(value: Visualization): void
}
