import { SquareCode } from 'lucide-react'
import type { Visualization } from '../../api/references.ts'
import { typeLooks } from '../../charts/type-looks.ts'

/** An icon for the chart type of a reference; SQL if it has none. */
export function ChartIcon({ type }: { type: Visualization['type'] | null }) {
  const { Icon, name } = type === null ? { Icon: SquareCode, name: 'SQL' } : typeLooks[type]
  return <Icon className="mt-0.5 size-4 text-soft lg:mt-0" role="img" aria-label={name} />
}
