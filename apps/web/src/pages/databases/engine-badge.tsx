import { definitionOf, type EngineIcon } from '@querypost/server/engine-definitions'
import { Asterisk, Bird, ChartNoAxesColumn, Cloud, Database as Cylinder, DatabaseZap, Feather, Fish, type LucideIcon, Rabbit } from 'lucide-react'
import type { Database } from '../../api/databases.ts'
import { Badge } from '../../ui/badge.tsx'

const icons: Record<EngineIcon, LucideIcon> = {
  asterisk: Asterisk,
  bird: Bird,
  cloud: Cloud,
  columns: ChartNoAxesColumn,
  cylinder: Cylinder,
  feather: Feather,
  fish: Fish,
  rabbit: Rabbit,
  'cylinder-with-flash': DatabaseZap,
}

export const engineName = (engine: Database['engine']) => definitionOf(engine).name
export const engineIcon = (engine: Database['engine']) => icons[definitionOf(engine).icon]

export function EngineBadge({ engine }: { engine: Database['engine'] }) {
  const Icon = engineIcon(engine)
  return (
    <Badge>
      <Icon className="size-3.5" aria-hidden="true" /> {engineName(engine)}
    </Badge>
  )
}
