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

/** `label`: where space is short. */
export const typeLooks: Readonly<Record<VisualizationType, { label: string; name: string; Icon: LucideIcon }>> = {
  table: { label: 'Table', name: 'Table', Icon: Table },
  number: { label: 'Number', name: 'Number', Icon: Hash },
  pivot: { label: 'Pivot', name: 'Pivot table', Icon: TableProperties },
  line: { label: 'Line', name: 'Line chart', Icon: ChartLine },
  bar: { label: 'Bar', name: 'Bar chart', Icon: ChartColumn },
  area: { label: 'Area', name: 'Area chart', Icon: ChartArea },
  combo: { label: 'Combo', name: 'Combo chart', Icon: ChartNoAxesCombined },
  pie: { label: 'Pie', name: 'Pie chart', Icon: ChartPie },
  funnel: { label: 'Funnel', name: 'Funnel', Icon: Funnel },
  scatter: { label: 'Scatter', name: 'Scatter chart', Icon: ChartScatter },
  histogram: { label: 'Histogram', name: 'Histogram', Icon: ChartColumnBig },
  heatmap: { label: 'Heat map', name: 'Heat map', Icon: Grid3x3 },
  map: { label: 'Map', name: 'Map', Icon: Earth },
}

/** The types by the question they answer. */
export const typeGroups: readonly { label: string; types: readonly VisualizationType[] }[] = [
  { label: 'Values', types: ['table', 'number', 'pivot'] },
  { label: 'Trends and comparisons', types: ['line', 'bar', 'area', 'combo'] },
  { label: 'Shares', types: ['pie', 'funnel'] },
  { label: 'Patterns', types: ['scatter', 'histogram', 'heatmap'] },
  { label: 'Places', types: ['map'] },
]
