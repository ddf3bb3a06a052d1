import type { LegendEntry } from '@querypost/visualization/draw'
import { classNames } from '../ui/class-names.ts'

interface LegendProps {
  entries: LegendEntry[]
  hidden: ReadonlySet<string>
  onToggle(name: string): void
}

/** The names of the series with their colors. Choosing one hides or shows it. */
export function ChartLegend({ entries, hidden, onToggle }: LegendProps) {
  return (
    <ul aria-label="Series" className="flex max-h-24 flex-wrap gap-x-1 overflow-y-auto text-xs">
      {entries.map(({ name, color }, at) => (
        <li key={at} className="min-w-0">
          <button
            type="button"
            aria-pressed={!hidden.has(name)}
            className="flex max-w-full cursor-pointer items-center gap-1.5 rounded-md px-1.5 py-1 hover:bg-raised"
            onClick={() => onToggle(name)}
          >
            <span
              className={classNames('size-2.5 shrink-0 rounded-sm', hidden.has(name) && 'opacity-30')}
              style={{ background: color }}
            />
            <span className={classNames('truncate', hidden.has(name) && 'text-soft line-through')}>{name}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
