import { type ChartElement, textProp } from './chart-element.ts'
import { type TotalKind, totalKinds } from './column-settings.ts'

/** The columns that a pivot table groups by, down and across, and the values it shows for each combination. */
export interface PivotConfig {
  rows: string[]
  columns: string[]
  values: PivotValue[]
}

export interface PivotValue {
  key: string
  aggregate: TotalKind
  /** Shown instead of the column's title. */
  name: string | null
}

/** From `<PivotTable><PivotRow … /><PivotColumn … /><PivotValue … /></PivotTable>`. Parts without a `dataKey` are skipped. */
export function readPivotConfig(chart: ChartElement): PivotConfig {
  const parts = (name: string) => chart.children.filter((child) => child.name === name && textProp(child, 'dataKey') !== undefined)
  const keys = (name: string) => parts(name).map((part) => textProp(part, 'dataKey')!)
  return {
    rows: keys('PivotRow'),
    columns: keys('PivotColumn'),
    values: parts('PivotValue').map((part) => ({
      key: textProp(part, 'dataKey')!,
      aggregate: totalKinds.find((kind) => kind === part.props['aggregate']) ?? 'sum',
      name: textProp(part, 'name') ?? null,
    })),
  }
}
