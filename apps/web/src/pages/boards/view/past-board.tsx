import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Board, Tile } from '../../../api/boards.ts'
import { messageOf } from '../../../api/request.ts'
import { openKeptResult, type PastBoard as PastBoardContent, pastBoardOptions, type PastResult } from '../../../api/result-history.ts'
import { NothingKept, PastBanner } from '../../../past/past-banner.tsx'
import { useOpenedResult } from '../../../results/use-result.ts'
import { Loaded } from '../../../ui/loaded.tsx'
import { Problem } from '../../../ui/notice.tsx'
import { PageHead } from '../../../ui/page-head.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Time } from '../../../ui/time.tsx'
import { useTitle } from '../../../ui/use-title.ts'
import { tilesOnTab } from '../content/board-content.ts'
import { BoardTabs } from './board-tabs.tsx'
import { OtherTile } from './other-tiles.tsx'
import { ResultPicture } from './result-picture.tsx'
import { TileFrame } from './tile-frame.tsx'
import { TileGrid } from './tile-grid.tsx'

/** `/b/:shortId?at=`: a board with the layout and the results of a time. */
export function PastBoard({ board, at }: { board: Board; at: string }) {
  const past = useQuery(pastBoardOptions(board.shortId, at))
  const title = past.data?.title ?? board.title
  useTitle(title)
  return (
    <article className="grid grid-cols-[minmax(0,1fr)] gap-4 [&>.page-head]:mb-0">
      <PageHead title={title} />
      <PastBanner at={at}>
        {past.data?.isFromThen === false && <p className="text-sm">The board didn’t exist yet. This is its first layout.</p>}
      </PastBanner>
      <Loaded query={past}>{(found) => <PastTiles board={board} past={found} />}</Loaded>
    </article>
  )
}

function PastTiles({ board, past }: { board: Board; past: PastBoardContent }) {
  const { tabs, items } = past
  const [chosenId, setChosenId] = useState<string>()
  const tabId = (tabs.find(({ id }) => id === chosenId) ?? tabs[0])?.id
  return (
    <BoardTabs tabs={tabs} tabId={tabId} onChange={setChosenId}>
      <TileGrid tiles={tilesOnTab(past, tabId)} isNumber={() => false}>
        {(tile) => {
          if (tile.kind !== 'reference') return <OtherTile tile={tile} />
          const found = items.find(({ referenceShortId }) => referenceShortId === tile.referenceShortId)
          const title = tile.title || found?.shown?.title || board.references.find(({ shortId }) => shortId === tile.referenceShortId)?.title || 'Deleted query'
          return (
            <TileFrame title={title} about={found?.shown && <Time at={found.shown.result.at} />} isBusy={false} isHighlighted={false}>
              {found?.shown ? (
                <PastTile key={found.shown.result.runId} tile={tile} shortId={found.referenceShortId} shown={found.shown} title={title} />
              ) : (
                <div className="grid h-full place-items-center text-center"><NothingKept oldestAt={found?.oldestAt ?? null} /></div>
              )}
            </TileFrame>
          )
        }}
      </TileGrid>
    </BoardTabs>
  )
}

function PastTile({ tile, shortId, shown, title }: { tile: Tile; shortId: string; shown: PastResult; title: string }) {
  const { state, retry } = useOpenedResult(shown.result.runId, (runId, signal) => openKeptResult(shortId, runId, signal))
  if (state.status === 'loading') return <Skeleton rows={3} />
  if (state.status === 'failed') return <Problem title="Couldn’t load the result" message={messageOf(state.error)} onRetry={retry} />
  return <ResultPicture visualization={shown.visualization} isTable={tile.shows === 'table'} result={state.result} label={title} onMark={undefined} />
}
