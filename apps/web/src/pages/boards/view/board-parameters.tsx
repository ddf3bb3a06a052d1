import { type ReactNode, useState } from 'react'
import type { Tile } from '../../../api/boards.ts'
import type { ParameterDefinition } from '../../../api/references.ts'
import { labelOf } from '../../../parameters/label-of.ts'
import { ParameterForm } from '../../../parameters/parameter-form.tsx'
import type { Values } from '../../../parameters/values.ts'
import { tilesWith } from '../content/board-content.ts'

/**
 * The parameters of a board. A change takes effect when the field is left or Enter is pressed. `onHighlight` names the parameter in
 * use, so that the tiles it affects can be marked.
 */
export function BoardParameters(props: {
  parameters: ParameterDefinition[]
  values: Values
  tiles: Tile[]
  onApply(values: Values): void
  onHighlight(parameter: string | undefined): void
  children?: ReactNode
}) {
  const { parameters, values, tiles } = props
  const [draft, setDraft] = useState(values)
  const [current, setCurrent] = useState<string>()
  const [applied, setApplied] = useState(values)
  // A click on a chart, Back, or another link to this page: take the values from the URL.
  if (applied !== values) {
    setApplied(values)
    setDraft(values)
  }
  const apply = () => {
    if (parameters.some(({ name }) => draft[name] !== values[name])) props.onApply(draft)
  }
  const highlight = (target: EventTarget | null) => {
    const name = target instanceof HTMLElement ? (target.closest<HTMLInputElement>('[name]')?.name ?? undefined) : undefined
    setCurrent(name)
    props.onHighlight(name)
  }
  const currentParameter = parameters.find(({ name }) => name === current)
  if (parameters.length === 0) return null
  return (
    <section
      aria-label="Parameters"
      className="grid gap-1"
      onFocus={(event) => highlight(event.target)}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) highlight(null)
      }}
    >
      <ParameterForm parameters={parameters} values={draft} onChange={setDraft} onLeaveField={apply} onSubmit={apply} />
      <p className="min-h-4 text-xs text-soft" role="status">
        {currentParameter && `${labelOf(currentParameter)} ${describeEffect(tilesWith(tiles, currentParameter.name).length)}`}
      </p>
    </section>
  )
}

const describeEffect = (count: number) => (count === 0 ? 'affects no tiles' : `affects ${count} ${count === 1 ? 'tile' : 'tiles'}`)
