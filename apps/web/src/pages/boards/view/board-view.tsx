import { X } from 'lucide-react'
import { useState } from 'react'
import { type Board, refreshBoard, type Tile } from '../../../api/boards.ts'
import { messageOf } from '../../../api/request.ts'
import { navigate } from '../../../location.tsx'
import { searchOf, valuesToSend, type Values } from '../../../parameters/values.ts'
import { paths } from '../../../paths.ts'
import { CommentsButton } from '../../../comments/comments-button.tsx'
import { ShareButton } from '../../../sharing/share-button.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Problem } from '../../../ui/notice.tsx'
import { usePageAction } from '../../../ui/page-actions.ts'
import { useTitle } from '../../../ui/use-title.ts'
import { useManagedUrl } from '../../../items/managed-badge.tsx'
import { FavoriteButton } from '../../../items/favorite-button.tsx'
import { tilesOnTab, tilesWith } from '../content/board-content.ts'
import { activeFilters, type MarkedRow, valueAt, withFilter, withoutFilter } from '../content/cross-filter.ts'
import { BoardHead } from './board-head.tsx'
import { BoardMenu } from './board-menu.tsx'
import { BoardParameters } from './board-parameters.tsx'
import { BoardTabs } from './board-tabs.tsx'
import { FilterChips } from './filter-chips.tsx'
import { OtherTile } from './other-tiles.tsx'
import { ReferenceTile } from './reference-tile.tsx'
import { TileGrid } from './tile-grid.tsx'
import { useBoardLocation } from './use-board-location.ts'
import { useBoardResults } from './use-board-results.ts'
import { useDisplay } from './use-display.ts'

/** A board for its readers: stored results at once, each with its age and state. */
export function BoardView({ board, onEdit }: { board: Board; onEdit(): void }) {
  useTitle(board.title)
  const { shortId, parameters, tiles, tabs } = board
  const managedUrl = useManagedUrl('board', shortId)
  const isManaged = managedUrl !== undefined
  const { values, tabId, display, setValues, setTab, setDisplay } = useBoardLocation(board)
  const sent = valuesToSend(parameters, values)
  const results = useBoardResults(shortId, sent)
  const [highlighted, setHighlighted] = useState<string>()
  const shown = tilesOnTab(board, tabId)
  const referenceOf = (tile: Tile) => board.references.find(({ shortId: own }) => own === tile.referenceShortId)
  const affected = new Set(highlighted === undefined ? [] : tilesWith(shown, highlighted).map(({ id }) => id))

  const showNextTab = () => {
    const next = tabs[(tabs.findIndex(({ id }) => id === tabId) + 1) % tabs.length]
    if (next) setTab(next.id)
  }
  usePageAction('Refresh board', () => results.refresh({}), !results.isRunning)
  usePageAction('Edit board', onEdit, !isManaged)
  const leaveDisplay = () => setDisplay({ ...display, isOn: false })
  useDisplay({ ...display, onRefresh: () => results.refresh({}), onNextTab: showNextTab, onLeave: leaveDisplay })

  /** Results that are stored show at once; only the others are computed. */
  const apply = (changed: Values) => {
    setValues(changed)
    results.refresh({ values: valuesToSend(parameters, changed), onlyMissing: true })
  }
  const actOnMark = (tile: Tile, mark: MarkedRow) => {
    if (tile.filters) {
      const changed = withFilter({ parameters, values, filters: tile.filters, mark })
      if (changed) apply(changed)
    } else if (tile.opens) {
      const value = valueAt(mark, tile.opens.column)
      if (value !== undefined) openBoard(tile.opens, value)
    }
  }
  const linkOf = (tile: Tile): string => {
    const own = referenceOf(tile)?.parameters ?? []
    const mapping = Object.entries(tile.parameterMapping ?? {}).filter(([, name]) => values[name] !== undefined)
    const given = Object.fromEntries(mapping.map(([name, from]) => [name, values[from]!]))
    return searchOf(own.filter(({ name }) => given[name] !== undefined), given)
  }

  const grid = (
    <TileGrid tiles={shown} isNumber={(tile) => tile.shows !== 'table' && referenceOf(tile)?.visualization?.type === 'number'}>
      {(tile) =>
        tile.kind === 'reference' ? (
          <ReferenceTile
            board={{ shortId, values: sent }}
            tile={tile}
            reference={referenceOf(tile)}
            result={results.byTile.get(tile.id)}
            isStale={results.isStale}
            search={linkOf(tile)}
            isHighlighted={affected.has(tile.id)}
            onRun={() => results.refresh({ tileIds: [tile.id] })}
            onMark={tile.filters || tile.opens ? (mark) => actOnMark(tile, mark) : undefined}
          />
        ) : (
          <OtherTile tile={tile} />
        )
      }
    </TileGrid>
  )
  const filters = activeFilters(tiles, parameters, values)
  const chips = <FilterChips filters={filters} onRemove={(name) => apply(withoutFilter(parameters, values, name))} />

  if (display.isOn) {
    return (
      <article className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <header className="flex items-center gap-4">
          <h1 className="mr-auto">{board.title}{tabs.length > 1 && ` · ${tabs.find(({ id }) => id === tabId)?.title ?? ''}`}</h1>
          {chips}
          <IconButton label="Leave full screen" icon={<X />} onClick={leaveDisplay} />
        </header>
        {grid}
      </article>
    )
  }
  return (
    <article className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <BoardHead
        board={board}
        managedUrl={managedUrl}
        results={results.query.data?.tiles ?? []}
        isRefreshing={results.isRunning}
        menu={
          <>
            <CommentsButton />
            <ShareButton item={{ kind: 'board', ...board }} />
            <FavoriteButton kind="board" shortId={board.shortId} />
            <BoardMenu board={board} isManaged={isManaged} values={sent} />
          </>
        }
        onRefresh={() => results.refresh({})}
        onEdit={onEdit}
      />
      <BoardParameters parameters={parameters} values={values} tiles={tiles} onApply={apply} onHighlight={setHighlighted} />
      {chips}
      {results.error !== null && <Problem title="Couldn’t load the results" message={messageOf(results.error)} onRetry={() => void results.query.refetch()} />}
      {tiles.length === 0 ? (
        <EmptyState title="This board has no tiles yet" {...(!isManaged && { action: <Button kind="primary" onClick={onEdit}>Add tiles</Button> })}>
          <p>Tiles show the results of your queries as charts, tables or numbers, with text and images beside them.</p>
        </EmptyState>
      ) : (
        <BoardTabs tabs={tabs} tabId={tabId} onChange={setTab}>{grid}</BoardTabs>
      )}
    </article>
  )
}

/** Opens another board with a value. What it doesn't have yet starts running at once. */
function openBoard({ boardShortId, parameter }: NonNullable<Tile['opens']>, value: string): void {
  // The other board shows the states of its tiles, and so whether this worked.
  void refreshBoard(boardShortId, { parameters: { [parameter]: value }, onlyMissing: true }).catch(() => undefined)
  navigate(paths.board(boardShortId, `?${new URLSearchParams({ [parameter]: value })}`))
}
