import { useRef, useState } from 'react'
import type { Tile } from '../../../api/boards.ts'
import type { ParameterDefinition } from '../../../api/references.ts'
import { ParameterBar } from '../../../parameters/parameter-bar.tsx'
import { isChosen, type Values } from '../../../parameters/values.ts'
import { tilesWith } from '../content/board-content.ts'
import { areEqual } from '../content/describe-changes.ts'

/**
 * The parameters of a board. A choice takes effect at once, typed text when the field is left or Enter is pressed. `onHighlight`
 * names the parameter under the pointer or with the focus, so that the tiles it affects can be marked.
 */
export function BoardParameters(props: {
  parameters: ParameterDefinition[]
  values: Values
  tiles: Tile[]
  onApply(values: Values): void
  onHighlight(parameter: string | undefined): void
}) {
  const { parameters, values, tiles, onApply, onHighlight } = props
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState(values)
  const [applied, setApplied] = useState(values)
  // A click on a chart, Back, or another link to this page: take the values from the URL.
  if (applied !== values) {
    setApplied(values)
    setDraft(values)
  }
  const apply = (changed: Values) => {
    if (!areEqual(changed, values)) onApply(changed)
  }
  const change = (changed: Values) => {
    setDraft(changed)
    if (parameters.some((parameter) => isChosen(parameter) && !areEqual(changed[parameter.name], draft[parameter.name]))) apply(changed)
  }
  const highlight = (target: EventTarget | null) => {
    const at = [...(form.current?.children ?? [])].findIndex((field) => target instanceof Node && field.contains(target))
    onHighlight(parameters[at]?.name)
  }
  if (parameters.length === 0) return null
  const notes = Object.fromEntries(parameters.map(({ name }) => [name, describeEffect(tilesWith(tiles, name).length)]))
  return (
    <form
      ref={form}
      aria-label="Parameters"
      className="flex flex-wrap items-start gap-x-3 gap-y-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        apply(draft)
      }}
      onFocus={(event) => highlight(event.target)}
      onPointerOver={(event) => highlight(event.target)}
      onPointerLeave={() => onHighlight(undefined)}
      onBlur={(event) => {
        apply(draft)
        if (!event.currentTarget.contains(event.relatedTarget)) onHighlight(undefined)
      }}
    >
      <ParameterBar definitions={parameters} values={draft} notes={notes} onChange={change} />
      {/* Lets Enter in a field apply its value. */}
      <button type="submit" hidden>Apply</button>
    </form>
  )
}

const describeEffect = (count: number) => (count === 0 ? 'Affects no tiles.' : `Affects ${count} ${count === 1 ? 'tile' : 'tiles'}.`)
