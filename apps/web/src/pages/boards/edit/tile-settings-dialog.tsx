import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { boardOptions, boardsOptions, type ReferenceSummary, type Tile, type TileResult } from '../../../api/boards.ts'
import type { ParameterDefinition } from '../../../api/references.ts'
import { getFirstRows } from '../../../api/runs.ts'
import { labelOf } from '../../../parameters/label-of.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Select, TextArea, TextInput } from '../../../ui/inputs.tsx'
import { canGive } from '../content/parameter-types.ts'
import { clickOf, type Click, withClick } from './tile-click.ts'
import { useTilePreview } from './use-tile-preview.ts'

/** Title, look, parameters and click behavior of a tile. */
export function TileSettingsDialog(props: {
  tile: Tile
  parameters: ParameterDefinition[]
  reference: ReferenceSummary | undefined
  saved: TileResult | undefined
  onSave(tile: Tile): void
  onClose(): void
}) {
  const formId = useId()
  const [draft, setDraft] = useState(props.tile)
  const { reference } = props
  const result = useTilePreview(props.tile, reference, props.saved)
  const change = (changes: Partial<Tile>) => setDraft({ ...draft, ...changes })
  return (
    <Dialog
      title="Tile settings"
      isOpen
      onOpenChange={props.onClose}
      footer={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId}>Apply</Button>
        </>
      }
    >
      <form
        id={formId}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          props.onSave(withoutEmpty(draft))
          props.onClose()
        }}
      >
        {draft.kind === 'reference' ? (
          <>
            <Field label="Title" hint="Leave blank for the title of the query">
              <TextInput value={draft.title ?? ''} maxLength={200} placeholder={reference?.title} onChange={({ target }) => change({ title: target.value })} />
            </Field>
            <Field label="Show as">
              <Select
                value={draft.shows ?? ''}
                onChange={({ target }) => {
                  const { shows: _, ...rest } = draft
                  setDraft(target.value === '' ? rest : { ...rest, shows: target.value as 'chart' | 'table' })
                }}
              >
                <option value="">As on the query’s page</option>
                <option value="chart">Chart</option>
                <option value="table">Table</option>
              </Select>
            </Field>
            {reference && <Mapping draft={draft} own={reference.parameters} parameters={props.parameters} onChange={setDraft} />}
            <ClickFields draft={draft} parameters={props.parameters} runId={result?.runId ?? null} onChange={setDraft} />
          </>
        ) : draft.kind === 'text' ? (
          <Field label="Text" hint="Markdown: **bold**, lists, tables and links to pages">
            <TextArea rows={10} maxLength={20_000} value={draft.text ?? ''} onChange={({ target }) => change({ text: target.value })} />
          </Field>
        ) : (
          <Field label={draft.kind === 'heading' ? 'Heading' : 'Description'} {...(draft.kind === 'image' && { hint: 'For people who can’t see the image' })}>
            <TextInput maxLength={500} value={draft.text ?? ''} onChange={({ target }) => change({ text: target.value })} />
          </Field>
        )}
      </form>
    </Dialog>
  )
}

/** An empty title means the title of the query. */
function withoutEmpty(tile: Tile): Tile {
  const { title, ...rest } = tile
  return title?.trim() ? { ...rest, title: title.trim() } : rest
}

function Mapping(props: {
  draft: Tile
  own: ParameterDefinition[]
  parameters: ParameterDefinition[]
  onChange(tile: Tile): void
}) {
  const { draft, own, parameters } = props
  if (own.length === 0) return null
  const set = (name: string, from: string) => {
    const { [name]: _, ...others } = draft.parameterMapping ?? {}
    const mapping = from === '' ? others : { ...others, [name]: from }
    const { parameterMapping: _mapping, ...rest } = draft
    props.onChange(Object.keys(mapping).length === 0 ? rest : { ...rest, parameterMapping: mapping })
  }
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1 font-medium">Parameters of the query</legend>
      {own.map((parameter) => (
        <Field key={parameter.name} label={labelOf(parameter)}>
          <Select value={draft.parameterMapping?.[parameter.name] ?? ''} onChange={({ target }) => set(parameter.name, target.value)}>
            <option value="">Default of the query</option>
            {parameters.filter((given) => canGive(given, parameter)).map((given) => (
              <option key={given.name} value={given.name}>Board parameter: {labelOf(given)}</option>
            ))}
          </Select>
        </Field>
      ))}
      {parameters.length === 0 && <p className="text-xs text-soft">Add parameters to the board to set several tiles at once.</p>}
    </fieldset>
  )
}

function ClickFields(props: { draft: Tile; parameters: ParameterDefinition[]; runId: string | null; onChange(tile: Tile): void }) {
  const { draft, parameters, runId } = props
  const [click, setClick] = useState(() => clickOf(draft))
  const columns = useQuery({
    queryKey: ['runs', runId, 'columns'],
    queryFn: async ({ signal }) => (await getFirstRows(runId!, { limit: 1, signal })).fields.map(({ name }) => name),
    enabled: runId !== null,
  })
  const set = (next: Click) => {
    setClick(next)
    props.onChange(withClick(draft, next))
  }
  const columnField = (
    <Field label="Column with the value">
      <Select value={click.column} onChange={({ target }) => set({ ...click, column: target.value })}>
        <option value="">Choose…</option>
        {[...new Set([...(columns.data ?? []), ...(click.column === '' ? [] : [click.column])])].map((name) => <option key={name}>{name}</option>)}
      </Select>
    </Field>
  )
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1 font-medium">A click on the chart</legend>
      <Field label="What a click does" isLabelHidden>
        <Select value={click.does} onChange={({ target }) => set({ ...click, does: target.value as Click['does'] })}>
          <option value="rows">Shows the rows behind it</option>
          <option value="filter">Filters this board</option>
          <option value="open">Opens another board</option>
        </Select>
      </Field>
      {click.does === 'filter' && (
        <>
          {columnField}
          <ParameterSelect parameters={parameters} click={click} onChange={set} />
        </>
      )}
      {click.does === 'open' && (
        <>
          {columnField}
          <OtherBoard click={click} onChange={set} />
        </>
      )}
      {click.does !== 'rows' && runId === null && <p className="text-xs text-soft">Run the query to choose from its columns.</p>}
    </fieldset>
  )
}

function ParameterSelect({ parameters, click, onChange }: { parameters: ParameterDefinition[]; click: Click; onChange(click: Click): void }) {
  return (
    <Field label="Parameter to set">
      <Select value={click.parameter} onChange={({ target }) => onChange({ ...click, parameter: target.value })}>
        <option value="">Choose…</option>
        {parameters.map((parameter) => <option key={parameter.name} value={parameter.name}>{labelOf(parameter)}</option>)}
      </Select>
    </Field>
  )
}

function OtherBoard({ click, onChange }: { click: Click; onChange(click: Click): void }) {
  const boards = useInfiniteQuery(boardsOptions)
  const other = useQuery({ ...boardOptions(click.boardShortId), enabled: click.boardShortId !== '' })
  return (
    <>
      <Field label="Board to open">
        <Select value={click.boardShortId} onChange={({ target }) => onChange({ ...click, boardShortId: target.value, parameter: '' })}>
          <option value="">Choose…</option>
          {(boards.data ?? []).map(({ shortId, title }) => <option key={shortId} value={shortId}>{title}</option>)}
        </Select>
      </Field>
      {click.boardShortId !== '' && <ParameterSelect parameters={other.data?.parameters ?? []} click={click} onChange={onChange} />}
    </>
  )
}
