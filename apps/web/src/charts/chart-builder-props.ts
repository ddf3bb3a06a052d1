import type { Field, Visualization } from '@querypost/visualization'

export interface ChartBuilderProps {
  fields: Field[]
  rows: unknown[][]
  /** Null if there is no visualization yet. */
  value: Visualization | null
  /** Also called with JSX that is not a valid chart yet; the service rejects it on saving. */
  onChange(value: Visualization): void
}
