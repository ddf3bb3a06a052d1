import type { VisualizationType } from '@querypost/visualization'
import { ChartArea, ChartColumn, ChartLine, ChartPie, ChartScatter, Hash, type LucideIcon, Table } from 'lucide-react'
import { useId } from 'react'

const offered = ['table', 'number', 'line', 'bar', 'area', 'scatter', 'pie'] as const

const looks: Record<(typeof offered)[number], { label: string; Icon: LucideIcon }> = {
  table: { label: 'Table', Icon: Table },
  number: { label: 'Number', Icon: Hash },
  line: { label: 'Line', Icon: ChartLine },
  bar: { label: 'Bar', Icon: ChartColumn },
  area: { label: 'Area', Icon: ChartArea },
  scatter: { label: 'Scatter', Icon: ChartScatter },
  pie: { label: 'Pie', Icon: ChartPie },
}

const tile =
  'relative grid cursor-pointer justify-items-center gap-1 rounded-md border border-line bg-surface px-1 py-2 text-xs ' +
  'text-soft hover:bg-raised has-checked:border-accent has-checked:bg-accent-wash has-checked:text-accent ' +
  'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus'

/** Radio buttons with icons, so that arrow keys move between them. */
export function TypePicker({ value, onChange }: { value: VisualizationType; onChange(type: VisualizationType): void }) {
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-1.5 text-xs font-medium">Show as</legend>
      <div className="grid grid-cols-4 gap-2 @lg:grid-cols-7">
        {offered.map((type) => {
          const { label, Icon } = looks[type]
          return (
            <label
              key={type}
              className={tile}
            >
              <input
                type="radio"
                name={name}
                className="absolute inset-0 cursor-pointer opacity-0"
                checked={value === type}
                onChange={() => onChange(type)}
              />
              <Icon className="size-5" aria-hidden="true" />
              {label}
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}
