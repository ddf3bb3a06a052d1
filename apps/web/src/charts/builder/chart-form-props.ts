import type { ChartElement, Field } from '@querypost/visualization'

/** The props of each part of the form. */
export interface ChartFormProps {
  chart: ChartElement
  fields: Field[]
  rows: unknown[][]
  onChange(chart: ChartElement): void
}
