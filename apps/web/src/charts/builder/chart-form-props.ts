import type { ChartElement, Field } from '@querypost/visualization'

/** What each part of the form takes: the chart as it is, the columns to choose from, and who is told of a change. */
export interface ChartFormProps {
  chart: ChartElement
  fields: Field[]
  onChange(chart: ChartElement): void
}
