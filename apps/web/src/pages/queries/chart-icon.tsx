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
  SquareCode,
  Table2,
  TableProperties,
} from 'lucide-react'
import type { Visualization } from '../../api/references.ts'

const icons: Record<Visualization['type'], { icon: LucideIcon; name: string }> = {
  table: { icon: Table2, name: 'Table' },
  number: { icon: Hash, name: 'Number' },
  line: { icon: ChartLine, name: 'Line chart' },
  bar: { icon: ChartColumn, name: 'Bar chart' },
  area: { icon: ChartArea, name: 'Area chart' },
  scatter: { icon: ChartScatter, name: 'Scatter chart' },
  pie: { icon: ChartPie, name: 'Pie chart' },
  combo: { icon: ChartNoAxesCombined, name: 'Combo chart' },
  pivot: { icon: TableProperties, name: 'Pivot table' },
  heatmap: { icon: Grid3x3, name: 'Heat map' },
  funnel: { icon: Funnel, name: 'Funnel' },
  histogram: { icon: ChartColumnBig, name: 'Histogram' },
  map: { icon: Earth, name: 'Map' },
}

/** An icon for the chart type of a reference; SQL if it has none. */
export function ChartIcon({ type }: { type: Visualization['type'] | null }) {
  const { icon: Icon, name } = type === null ? { icon: SquareCode, name: 'SQL' } : icons[type]
  return <Icon className="mt-0.5 size-4 text-soft lg:mt-0" role="img" aria-label={name} />
}
