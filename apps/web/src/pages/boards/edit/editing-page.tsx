import { Plus } from 'lucide-react'
import { useId, useState } from 'react'
import type { ReferenceSummary, Tile, TileResult } from '../../../api/boards.ts'
import { navigate } from '../../../location.tsx'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useIsNarrow } from '../../../ui/use-is-narrow.ts'
import { useTitle } from '../../../ui/use-title.ts'
import {
  addTab,
  addTile,
  type BoardContent,
  changeTile,
  duplicateTile,
  initialSize,
  moveToTab,
  removeTab,
  removeTile,
  renameTab,
  reorderTab,
  tilesOnTab,
  withTilesOnTab,
} from '../content/board-content.ts'
import { tileName } from '../content/describe-changes.ts'
import { inReadingOrder, moveInOrder, moveTile, resizeTile } from '../content/layout.ts'
import { phoneHeight } from '../view/tile-grid.tsx'
import { AddTileDialog, type NewTile } from './add-tile-dialog.tsx'
import { EditGrid } from './edit-grid.tsx'
import { EditableTile, type TileActions } from './editable-tile.tsx'
import { EditedTileContent } from './edited-tile-content.tsx'
import { EditorBar } from './editor-bar.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { newId } from './new-id.ts'
import { ParametersDialog } from './parameters-dialog.tsx'
import { TabBar } from './tab-bar.tsx'
import { TileSettingsDialog } from './tile-settings-dialog.tsx'
import { useEditor } from './use-editor.ts'
import { useTileReferences } from './use-tile-references.ts'

/** Edits the content of a board, saved or new. Nothing is stored until it is saved. */
export function EditingPage(props: {
  initial: BoardContent
  references: readonly ReferenceSummary[]
  /** The states of saved tiles, by their ids. */
  results: ReadonlyMap<string, TileResult>
  isNew: boolean
  isBusy: boolean
  error: unknown
  onSave(content: BoardContent): void
  /** Leaves the editor of a saved board. */
  onCancel?(): void
}) {
  const { isNew, results } = props
  const editor = useEditor(props.initial, { isNew })
  const { content, change } = editor
  useTitle(isNew ? 'New board' : `Edit ${content.title}`)
  const helpId = useId()
  const isNarrow = useIsNarrow()
  const references = useTileReferences(content.tiles, props.references)
  const referenceOf = (tile: Tile) => references.find(({ shortId }) => shortId === tile.referenceShortId)
  const nameOf = (tile: Tile) => tileName(tile, (shortId) => references.find((reference) => reference.shortId === shortId)?.title)
  const [wantedTab, setWantedTab] = useState<string>()
  const tabId = (content.tabs.find(({ id }) => id === wantedTab) ?? content.tabs[0])?.id
  const tiles = tilesOnTab(content, tabId)
  const [dialog, setDialog] = useState<'add' | 'parameters' | 'cancel'>()
  const [settingsOf, setSettingsOf] = useState<string>()
  const [announcement, setAnnouncement] = useState('')
  const close = () => setDialog(undefined)

  const add = (added: NewTile[]) => {
    const named = added.map((tile) => ({ tile, id: newId() }))
    change((now) => named.reduce((before, { tile, id }) => addTile(before, { id, ...fieldsOf(tile) }, tabId, sizeOf(tile)), now))
    setAnnouncement(added.length === 1 ? 'Tile added.' : `${added.length} tiles added.`)
    focusTile(named[0]?.id)
  }
  const place = (tile: Tile, move: (tiles: Tile[]) => Tile[], series: string) => {
    const moved = move(tiles)
    change((now) => withTilesOnTab(now, tabId, move), `${series} ${tile.id}`)
    setAnnouncement(describePlace(nameOf(tile), moved.find(({ id }) => id === tile.id) ?? tile))
    // Tiles are in reading order, so a moved one may lose the focus.
    focusTile(tile.id)
  }
  const remove = (tile: Tile) => {
    const ordered = inReadingOrder(tiles)
    const at = ordered.findIndex(({ id }) => id === tile.id)
    change((now) => removeTile(now, tile.id))
    setAnnouncement(`${nameOf(tile)} removed. Press Control+Z to undo.`)
    focusTile((ordered[at + 1] ?? ordered[at - 1])?.id)
  }
  const actionsOf = (tile: Tile): TileActions => ({
    onMove: (direction) => place(tile, (those) => moveTile(those, tile.id, direction), 'move'),
    onResize: (direction) => place(tile, (those) => resizeTile(those, tile.id, direction), 'resize'),
    onReorder: (direction) => place(tile, (those) => moveInOrder(those, tile.id, direction), 'reorder'),
    onSettings: () => setSettingsOf(tile.id),
    onDuplicate: () => {
      const id = newId()
      change((now) => duplicateTile(now, tile.id, id))
      setAnnouncement(`${nameOf(tile)} duplicated.`)
      focusTile(id)
    },
    onMoveToTab: (tab) => {
      change((now) => moveToTab(now, tile.id, tab))
      setWantedTab(tab)
      focusTile(tile.id)
    },
    onRemove: () => remove(tile),
  })
  const editedTile = content.tiles.find(({ id }) => id === settingsOf)
  const cancel = () => {
    if (!props.onCancel) navigate(paths.boards)
    else if (editor.isChanged) setDialog('cancel')
    else props.onCancel()
  }

  const renderTile = (tile: Tile) => (
    <EditableTile
      {...actionsOf(tile)}
      tile={tile}
      name={nameOf(tile)}
      helpId={helpId}
      isInList={isNarrow}
      otherTabs={content.tabs.filter(({ id }) => id !== tabId)}
    >
      <EditedTileContent tile={tile} reference={referenceOf(tile)} saved={results.get(tile.id)} />
    </EditableTile>
  )
  return (
    <article className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <EditorBar
        editor={editor}
        isNew={isNew}
        isBusy={props.isBusy}
        error={props.error}
        onAdd={() => setDialog('add')}
        onParameters={() => setDialog('parameters')}
        onSave={() => props.onSave(content)}
        onCancel={cancel}
      />
      <p id={helpId} className="sr-only">
        Arrow keys move the tile, with Shift they resize it. Enter opens its settings, Delete removes it.
      </p>
      <p role="status" className="sr-only">{announcement}</p>
      <TabBar
        tabs={content.tabs}
        tabId={tabId}
        onChoose={setWantedTab}
        onAdd={() => {
          const ids: [string, string] = [newId(), newId()]
          change((now) => addTab(now, ids))
          setWantedTab(content.tabs.length === 0 ? ids[1] : ids[0])
        }}
        onRename={(id, title) => change((now) => renameTab(now, id, title))}
        onReorder={(id, by) => change((now) => reorderTab(now, id, by))}
        onRemove={(id) => change((now) => removeTab(now, id))}
      />
      {tiles.length === 0 ? (
        <EmptyState
          title={content.tabs.length > 1 ? 'This tab is empty' : 'Add the first tile'}
          action={<Button kind="primary" icon={<Plus />} onClick={() => setDialog('add')}>Add tiles</Button>}
        >
          <p>Choose saved queries to show as charts, tables or numbers. Add headings, text and images to explain them.</p>
        </EmptyState>
      ) : isNarrow ? (
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-3" aria-label="Tiles">
          {inReadingOrder(tiles).map((tile) => <li key={tile.id} className="min-w-0" style={phoneHeight(tile)}>{renderTile(tile)}</li>)}
        </ul>
      ) : (
        <EditGrid tiles={tiles} onChange={(moved) => change((now) => withTilesOnTab(now, tabId, () => moved))}>{renderTile}</EditGrid>
      )}
      {dialog === 'add' && <AddTileDialog onAdd={add} onClose={close} />}
      {dialog === 'parameters' && <ParametersDialog content={content} references={references} onChange={change} onClose={close} />}
      {editedTile && (
        <TileSettingsDialog
          key={editedTile.id}
          tile={editedTile}
          parameters={content.parameters}
          reference={referenceOf(editedTile)}
          saved={results.get(editedTile.id)}
          onSave={(changed) => change((now) => changeTile(now, changed))}
          onClose={() => setSettingsOf(undefined)}
        />
      )}
      <ConfirmDialog
        title="Discard your changes?"
        confirmLabel="Discard changes"
        isOpen={dialog === 'cancel'}
        onOpenChange={close}
        onConfirm={() => props.onCancel?.()}
      >
        Your changes to this board are not saved.
      </ConfirmDialog>
      <LeaveGuard isChanged={editor.isChanged} />
    </article>
  )
}

function fieldsOf(tile: NewTile): Omit<Tile, 'id' | 'x' | 'y' | 'width' | 'height'> {
  if (tile.kind !== 'reference') return tile
  return { kind: 'reference', referenceShortId: tile.referenceShortId }
}

const sizeOf = (tile: NewTile) => initialSize(tile, tile.kind === 'reference' ? tile.visualizationType : undefined)

const describePlace = (name: string, { x, y, width, height }: Tile) =>
  `${name}: column ${x + 1}, row ${y + 1}, ${width} ${width === 1 ? 'column' : 'columns'} wide, ${height} ${height === 1 ? 'row' : 'rows'} high.`

/** After the tile has been drawn at its new place. */
function focusTile(id: string | undefined): void {
  if (id === undefined) return
  requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(`tile-${id}`)?.focus()))
}
