import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { LayoutDashboard, Star } from 'lucide-react'
import { boardsOptions, getTileResults } from '../../api/boards.ts'
import { favoritesOptions, type ItemKind, recentlyViewedOptions } from '../../api/items.ts'
import { getFirstRows } from '../../api/runs.ts'
import { Link } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { TextLink } from '../../ui/text-link.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { smallChartOf } from '../queries/small-chart.ts'
import { SmallPicture } from '../queries/small-picture.tsx'
import { chooseItems, type HomeItem } from './choose-items.ts'

const shownMax = 4
const isBoard = ({ kind }: { kind: ItemKind }) => kind === 'board'
const readRows = 500

/** Favorite, recently viewed and new boards, each with one of its results. Shows nothing if there is no board. */
export function HomeBoards() {
  const { data: favorites = [] } = useQuery(favoritesOptions)
  const { data: recent = [] } = useQuery(recentlyViewedOptions)
  const { data: newest = [] } = useInfiniteQuery(boardsOptions)
  const boards = chooseItems({ favorites: favorites.filter(isBoard), recent: recent.filter(isBoard), newest }, shownMax)
  if (boards.length === 0) return null
  return (
    <section aria-label="Boards" className="grid gap-2">
      <header className="flex items-baseline justify-between gap-4">
        <h2>Boards</h2>
        <TextLink href={paths.boards}>All boards</TextLink>
      </header>
      <ul className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {boards.map((board) => <BoardCard key={board.shortId} board={board} />)}
      </ul>
    </section>
  )
}

function BoardCard({ board: { shortId, title, isFavorite } }: { board: HomeItem }) {
  const { data } = useQuery({
    queryKey: ['boards', shortId, 'small-chart'],
    queryFn: async ({ signal }) => {
      const { tiles } = await getTileResults(shortId, {}, signal)
      const ready = tiles.find(({ runId }) => runId !== null)
      if (!ready?.runId) return null
      return { at: ready.completedAt, chart: smallChartOf(await getFirstRows(ready.runId, { limit: readRows, signal })) }
    },
    staleTime: 60_000,
    retry: false,
  })
  return (
    <li className="min-w-0">
      <Link
        href={paths.board(shortId)}
        className="grid h-full grid-rows-[auto_4rem_auto] gap-2 rounded-lg border border-line bg-surface px-3 py-2.5 text-ink no-underline hover:bg-raised"
      >
        <span className="flex min-w-0 items-center gap-2 text-sm font-medium">
          <LayoutDashboard className="size-4 shrink-0 text-soft" aria-hidden="true" />
          <span className="truncate">{title}</span>
          {isFavorite && <Star className="ml-auto size-3.5 shrink-0 fill-current text-accent" aria-label="Favorite" />}
        </span>
        <span className="grid min-w-0 content-center overflow-hidden">
          {data?.chart && <SmallPicture chart={data.chart} />}
          {data === null && <span className="text-xs text-soft">No results yet</span>}
        </span>
        <span className="truncate text-xs text-soft">{data?.at && <RelativeTime at={data.at} />}</span>
      </Link>
    </li>
  )
}
