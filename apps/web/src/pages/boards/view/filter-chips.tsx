import { X } from 'lucide-react'
import type { ActiveFilter } from '../content/cross-filter.ts'

/** The filters that clicks on charts have set, each with one click to remove it. */
export function FilterChips({ filters, onRemove }: { filters: ActiveFilter[]; onRemove(parameter: string): void }) {
  if (filters.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-2" aria-label="Filters">
      {filters.map(({ parameter, text }) => (
        <li key={parameter}>
          <button
            type="button"
            className="flex items-center gap-1.5 rounded-full bg-accent-wash px-3 py-1 text-sm text-accent hover:bg-raised [&_svg]:size-3.5"
            onClick={() => onRemove(parameter)}
          >
            <span className="sr-only">Remove filter </span>
            {text}
            <X aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  )
}
