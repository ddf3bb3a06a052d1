import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { uploadBoardImage } from '../../../api/boards.ts'
import { findBestReferences, listReferences } from '../../../api/references.ts'
import { messageOf } from '../../../api/request.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { FileDrop } from '../../../ui/file-drop.tsx'
import { Choice, TextArea, TextInput } from '../../../ui/inputs.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Problem } from '../../../ui/notice.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { useDebounced } from '../../../ui/use-debounced.ts'
import { paths } from '../../../paths.ts'
import { TextLink } from '../../../ui/text-link.tsx'
import { ChartIcon } from '../../queries/chart-icon.tsx'

/** A tile to add, before it has an id and a place. */
export type NewTile =
  | { kind: 'reference'; referenceShortId: string; visualizationType: string | undefined }
  | { kind: 'text' | 'heading'; text: string }
  | { kind: 'image'; imageId: string; text: string }

type Part = NewTile['kind']

/** Adds queries, text, headings or images to a board. */
export function AddTileDialog(props: { onAdd(tiles: NewTile[]): void; onClose(): void }) {
  const [part, setPart] = useState<Part>('reference')
  const add = (tiles: NewTile[]) => {
    props.onAdd(tiles)
    props.onClose()
  }
  return (
    <Dialog title="Add tiles" isOpen onOpenChange={props.onClose} width="wide">
      <Tabs<Part>
        label="Kind of tile"
        current={part}
        onChange={setPart}
        tabs={[
          { name: 'reference', label: 'Queries', content: <QueryChoice onAdd={add} /> },
          { name: 'text', label: 'Text', content: <WordsForm key="text" kind="text" onAdd={add} /> },
          { name: 'heading', label: 'Heading', content: <WordsForm key="heading" kind="heading" onAdd={add} /> },
          { name: 'image', label: 'Image', content: <ImageForm onAdd={add} /> },
        ]}
      />
    </Dialog>
  )
}

const settleMs = 200
const maxFound = 30

function QueryChoice({ onAdd }: { onAdd(tiles: NewTile[]): void }) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<NewTile[]>([])
  const search = useDebounced(text.trim(), settleMs)
  const query = useQuery({
    queryKey: ['references', 'for tiles', search],
    queryFn: async ({ signal }) => {
      const limit = maxFound
      return (search === '' ? await listReferences({ limit, signal }) : await findBestReferences({ search, limit, signal })).items
    },
    placeholderData: (before) => before,
  })
  const isChosen = (shortId: string) => chosen.some((tile) => tile.kind === 'reference' && tile.referenceShortId === shortId)
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen.length > 0) onAdd(chosen)
      }}
    >
      <TextInput
        type="search"
        aria-label="Search queries"
        placeholder="Search queries"
        value={text}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault()
        }}
      />
      <Loaded query={query}>
        {(items) =>
          items.length === 0 ? (
            <p className="py-4 text-soft" role="status">
              {search === '' ? 'No saved queries yet. ' : 'No queries found. '}
              <TextLink href={paths.newQuery()}>Write a query</TextLink>
            </p>
          ) : (
            <ul aria-label="Queries" className="max-h-72 divide-y divide-line overflow-y-auto rounded-md border border-line">
              {items.map(({ shortId, title, description, visualizationType }) => (
                <li key={shortId}>
                  <Choice
                    className="w-full! px-3 py-2 hover:bg-raised"
                    checked={isChosen(shortId)}
                    onChange={({ target }) =>
                      setChosen(
                        target.checked
                          ? [...chosen, { kind: 'reference', referenceShortId: shortId, visualizationType: visualizationType ?? undefined }]
                          : chosen.filter((tile) => tile.kind !== 'reference' || tile.referenceShortId !== shortId),
                      )
                    }
                    label={<span className="flex items-center gap-2"><ChartIcon type={visualizationType} /> {title}</span>}
                    {...(description !== null && description !== '' && { hint: description.slice(0, 120) })}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <Button type="submit" kind="primary" className="justify-self-end" disabled={chosen.length === 0}>
        {chosen.length > 1 ? `Add ${chosen.length} tiles` : 'Add tile'}
      </Button>
    </form>
  )
}

function WordsForm({ kind, onAdd }: { kind: 'text' | 'heading'; onAdd(tiles: NewTile[]): void }) {
  const [text, setText] = useState('')
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        onAdd([{ kind, text }])
      }}
    >
      {kind === 'text' ? (
        <Field label="Text" hint="Markdown: **bold**, lists, tables and links to pages">
          <TextArea rows={6} maxLength={20_000} value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
      ) : (
        <Field label="Heading"><TextInput maxLength={200} value={text} onChange={(event) => setText(event.target.value)} /></Field>
      )}
      <Button type="submit" kind="primary" className="justify-self-end" disabled={text.trim() === ''}>Add tile</Button>
    </form>
  )
}

const maxImageBytes = 1024 * 1024

function ImageForm({ onAdd }: { onAdd(tiles: NewTile[]): void }) {
  const [image, setImage] = useState<{ id: string; name: string }>()
  const [text, setText] = useState('')
  const uploading = useAction()
  const take = ([file]: File[]) => {
    if (!file) return
    uploading.run(async () => {
      if (file.size > maxImageBytes) throw new Error('This image is larger than 1 MB. Choose a smaller one.')
      const { id } = await uploadBoardImage(file, { signal: new AbortController().signal, onProgress: () => undefined })
      setImage({ id, name: file.name })
    })
  }
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (image) onAdd([{ kind: 'image', imageId: image.id, text }])
      }}
    >
      {uploading.error !== undefined && <Problem message={messageOf(uploading.error)} />}
      <FileDrop
        label={image ? image.name : 'Drop an image here'}
        buttonLabel={image ? 'Choose another image' : 'Choose image'}
        accept=".png,.jpg,.jpeg,.webp,.gif"
        isSingle
        hint="PNG, JPEG, WebP or GIF, at most 1 MB"
        onFiles={take}
      />
      <Field label="Description" hint="For people who can’t see the image"><TextInput value={text} maxLength={500} onChange={(event) => setText(event.target.value)} /></Field>
      <Button type="submit" kind="primary" className="justify-self-end" isBusy={uploading.isBusy} disabled={!image}>Add tile</Button>
    </form>
  )
}
