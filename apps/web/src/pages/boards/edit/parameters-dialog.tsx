import { Pencil, Plus, Trash2 } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import type { ReferenceSummary } from '../../../api/boards.ts'
import type { ParameterDefinition } from '../../../api/references.ts'
import { labelOf } from '../../../parameters/label-of.ts'
import { ParameterSettings } from '../../../parameters/parameter-settings.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Select, TextInput } from '../../../ui/inputs.tsx'
import { type BoardContent, changeParameter, changeTile, maxParameters, removeParameter, type Tile, tilesWith } from '../content/board-content.ts'
import { tileName } from '../content/describe-changes.ts'
import { canGive } from '../content/parameter-types.ts'
import { addParameter, parameterNameFor, parametersOf, suggestParameters } from '../content/suggest-parameters.ts'
import type { ChangeContent } from './use-editor.ts'

/** The parameters of a board, and which parameters of its tiles they give values to. Changes apply at once and can be undone. */
export function ParametersDialog(props: {
  content: BoardContent
  references: readonly ReferenceSummary[]
  onChange: ChangeContent
  onClose(): void
}) {
  const { content, references, onChange } = props
  const { parameters } = content
  const [edited, setEdited] = useState<string>()
  const editedParameter = parameters.find(({ name }) => name === edited)
  const add = (definition: ParameterDefinition) => onChange((now) => addParameter(now, definition, references))
  const suggested = suggestParameters(content, references)
  const isFull = parameters.length >= maxParameters
  return (
    <Dialog title="Parameters" description="Readers choose their values above the tiles." isOpen onOpenChange={props.onClose} isSheet>
      <div className="grid gap-5">
        {parameters.length > 0 && (
          <ul className="divide-y divide-line rounded-lg border border-line" aria-label="Parameters of the board">
            {parameters.map((parameter) => (
              <li key={parameter.name} className="grid gap-2 p-3">
                <div className="flex items-center gap-1">
                  <div className="mr-auto min-w-0">
                    <p className="truncate font-medium">{labelOf(parameter)}</p>
                    <p className="text-xs text-soft">{describeEffect(tilesWith(content.tiles, parameter.name).length)}</p>
                  </div>
                  <IconButton label={`Edit ${labelOf(parameter)}`} icon={<Pencil />} onClick={() => setEdited(parameter.name)} />
                  <IconButton
                    label={`Remove ${labelOf(parameter)}`}
                    icon={<Trash2 />}
                    onClick={() => onChange((now) => removeParameter(now, parameter.name))}
                  />
                </div>
                <TileMappings parameter={parameter} content={content} references={references} onChange={onChange} />
              </li>
            ))}
          </ul>
        )}
        {suggested.length > 0 && !isFull && (
          <section className="grid gap-2" aria-label="Parameters of the queries">
            <h3>From the queries of this board</h3>
            <ul className="flex flex-wrap gap-2">
              {suggested.map(({ definition, tileCount }) => (
                <li key={definition.name}>
                  <Button size="small" icon={<Plus />} onClick={() => add(definition)}>
                    {labelOf(definition)} ({tileCount} {tileCount === 1 ? 'tile' : 'tiles'})
                  </Button>
                </li>
              ))}
            </ul>
          </section>
        )}
        {!isFull && (
          <NewParameter
            taken={parameters.map(({ name }) => name)}
            onAdd={(definition) => {
              add(definition)
              setEdited(definition.name)
            }}
          />
        )}
      </div>
      {editedParameter && (
        <ParameterSettings
          key={edited}
          parameter={editedParameter}
          others={parameters.filter(({ name }) => name !== edited)}
          faultPath=""
          onSave={async (changed) => {
            onChange((now) => changeParameter(now, editedParameter.name, changed))
            setEdited(undefined)
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Dialog>
  )
}

const describeEffect = (count: number) => (count === 0 ? 'Affects no tiles yet' : `Affects ${count} ${count === 1 ? 'tile' : 'tiles'}`)

function TileMappings(props: {
  parameter: ParameterDefinition
  content: BoardContent
  references: readonly ReferenceSummary[]
  onChange: ChangeContent
}) {
  const { parameter, content, references } = props
  const titleOf = (shortId: string) => references.find((reference) => reference.shortId === shortId)?.title
  const tiles = content.tiles
    .map((tile) => ({ tile, own: parametersOf(tile, references).filter((other) => canGive(parameter, other)) }))
    .filter(({ own }) => own.length > 0)
  if (tiles.length === 0) return <p className="text-xs text-soft">No query of this board has a parameter of this type.</p>
  const set = (tile: Tile, own: string) => {
    const kept = Object.entries(tile.parameterMapping ?? {}).filter(([name, from]) => from !== parameter.name && name !== own)
    const mapping = Object.fromEntries([...kept, ...(own === '' ? [] : [[own, parameter.name] as const])])
    const { parameterMapping: _, ...rest } = tile
    props.onChange((now) => changeTile(now, Object.keys(mapping).length === 0 ? rest : { ...rest, parameterMapping: mapping }))
  }
  return (
    <details>
      <summary className="w-fit rounded text-xs text-soft hover:text-ink">Choose tiles</summary>
      <div className="mt-2 grid gap-2">
        {tiles.map(({ tile, own }) => (
          <Field key={tile.id} label={tileName(tile, titleOf)}>
            <Select
              value={Object.entries(tile.parameterMapping ?? {}).find(([, from]) => from === parameter.name)?.[0] ?? ''}
              onChange={({ target }) => set(tile, target.value)}
            >
              <option value="">Not affected</option>
              {own.map((other) => <option key={other.name} value={other.name}>{labelOf(other)}</option>)}
            </Select>
          </Field>
        ))}
      </div>
    </details>
  )
}

function NewParameter({ taken, onAdd }: { taken: string[]; onAdd(definition: ParameterDefinition): void }) {
  const [label, setLabel] = useState('')
  const name = parameterNameFor(label, taken)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (name === undefined) return
    onAdd({ name, displayName: label.trim(), type: 'text', defaultValue: '', description: '' })
    setLabel('')
  }
  return (
    <form className="flex items-end gap-2" onSubmit={submit}>
      <Field
        label="New parameter"
        className="flex-1"
        fault={label.trim() !== '' && name === undefined ? 'Choose another name: this one is taken.' : undefined}
      >
        <TextInput value={label} maxLength={100} placeholder="Country" onChange={(event) => setLabel(event.target.value)} />
      </Field>
      <Button type="submit" icon={<Plus />} disabled={name === undefined}>Add parameter</Button>
    </form>
  )
}
