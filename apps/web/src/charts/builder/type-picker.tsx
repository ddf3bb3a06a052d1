import type { VisualizationType } from '@querypost/visualization'
import { useId } from 'react'
import { typeGroups, typeLooks } from '../type-looks.ts'

const tile =
  'relative grid cursor-pointer content-center justify-items-center gap-1 rounded-md border border-line bg-surface px-1 py-2 ' +
  'text-xs whitespace-nowrap text-soft hover:bg-raised has-checked:border-accent has-checked:bg-accent-wash ' +
  'has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus'

/** Radio buttons with icons, so that arrow keys move between them. */
export function TypePicker({ value, onChange }: { value: VisualizationType; onChange(type: VisualizationType): void }) {
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-1.5 text-xs font-medium">Show as</legend>
      {/* Without room for groups in rows, the types follow one another. */}
      <div className="grid grid-cols-4 gap-1.5 @lg:flex @lg:flex-wrap @lg:gap-x-4 @lg:gap-y-2">
        {typeGroups.map(({ label, types }) => (
          <div key={label} role="group" aria-label={label} className="contents @lg:grid @lg:content-start @lg:gap-1">
            <span aria-hidden="true" className="hidden text-xs text-soft @lg:block">{label}</span>
            <div className="contents @lg:flex @lg:gap-1.5">
              {types.map((type) => (
                <TypeTile key={type} {...{ name, type }} isChosen={value === type} onChoose={() => onChange(type)} />
              ))}
            </div>
          </div>
        ))}
      </div>
    </fieldset>
  )
}

function TypeTile(props: { name: string; type: VisualizationType; isChosen: boolean; onChoose(): void }) {
  const { label, Icon } = typeLooks[props.type]
  return (
    <label className={`${tile} @lg:w-19`}>
      <input
        type="radio"
        name={props.name}
        className="absolute inset-0 cursor-pointer opacity-0"
        checked={props.isChosen}
        onChange={props.onChoose}
      />
      <Icon className="size-5" aria-hidden="true" />
      {label}
    </label>
  )
}
