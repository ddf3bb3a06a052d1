import { Bird, ChartNoAxesColumn, Database as Cylinder, Fish, type LucideIcon } from 'lucide-react'
import type { Database } from '../../api/databases.ts'
import { Badge } from '../../ui/badge.tsx'

export const engineNames: Record<Database['engine'], string> = {
  duckdb: 'DuckDB',
  postgres: 'PostgreSQL',
  mysql: 'MySQL or MariaDB',
  clickhouse: 'ClickHouse',
}

export const engineIcons: Record<Database['engine'], LucideIcon> = {
  duckdb: Bird,
  postgres: Cylinder,
  mysql: Fish,
  clickhouse: ChartNoAxesColumn,
}

export function EngineBadge({ engine }: { engine: Database['engine'] }) {
  const Icon = engineIcons[engine]
  return (
    <Badge>
      <Icon className="size-3.5" aria-hidden="true" /> {engineNames[engine]}
    </Badge>
  )
}
