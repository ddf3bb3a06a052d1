import type { VisualizationType } from '@querypost/visualization'
import {
  ChartArea,
  ChartColumn,
  ChartColumnBig,
  ChartLine,
  ChartNoAxesCombined,
  ChartPie,
  ChartScatter,
  Earth,
  Funnel,
  Grid3x3,
  Hash,
  type LucideIcon,
  Table,
  TableProperties,
} from 'lucide-react'

export const typeLooks: Readonly<Record<VisualizationType, { label: string; Icon: LucideIcon }>> = {
  table: { label: 'Table', Icon: Table },
  number: { label: 'Number', Icon: Hash },
  pivot: { label: 'Pivot', Icon: TableProperties },
  line: { label: 'Line', Icon: ChartLine },
  bar: { label: 'Bar', Icon: ChartColumn },
  area: { label: 'Area', Icon: ChartArea },
  combo: { label: 'Combo', Icon: ChartNoAxesCombined },
  pie: { label: 'Pie', Icon: ChartPie },
  funnel: { label: 'Funnel', Icon: Funnel },
  scatter: { label: 'Scatter', Icon: ChartScatter },
  histogram: { label: 'Histogram', Icon: ChartColumnBig },
  heatmap: { label: 'Heat map', Icon: Grid3x3 },
  map: { label: 'Map', Icon: Earth },
}

/** The types by the question they answer. */
export const typeGroups: readonly { label: string; types: readonly VisualizationType[] }[] = [
  { label: 'Values', types: ['table', 'number', 'pivot'] },
  { label: 'Trends and comparisons', types: ['line', 'bar', 'area', 'combo'] },
  { label: 'Shares', types: ['pie', 'funnel'] },
  { label: 'Patterns', types: ['scatter', 'histogram', 'heatmap'] },
  { label: 'Places', types: ['map'] },
]
