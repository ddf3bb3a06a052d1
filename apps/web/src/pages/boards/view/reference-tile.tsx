import { CircleStop, Clock, Ellipsis, ExternalLink, MessageSquarePlus, Play, RefreshCw, Rows3, TriangleAlert } from 'lucide-react'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import type { ReferenceSummary, Tile, TileResult } from '../../../api/boards.ts'
import { messageOf } from '../../../api/request.ts'
import { isDrawn } from '../../../charts/load-drawn-chart.ts'
import { useDrawnChartCode } from '../../../charts/use-drawn-chart-code.ts'
import { TileComments } from '../../../comments/comments-button.tsx'
import { useComments } from '../../../comments/comments-context.ts'
import { useCommentOnPoint } from '../../../comments/use-comment-on-point.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuLink } from '../../../ui/menu.tsx'
import { Problem } from '../../../ui/notice.tsx'
import { RelativeTime } from '../../../ui/time.tsx'
import { Tooltip } from '../../../ui/tooltip.tsx'
import { ResultPicture } from './result-picture.tsx'
import type { MarkedRow } from '../content/cross-filter.ts'
import { TileFrame } from './tile-frame.tsx'
import { TileProgress } from './tile-progress.tsx'
import type { ShownBoard } from './short-results.ts'
import { useIsNear } from './use-is-near.ts'
import { useTileRows } from './use-tile-rows.ts'
import { useTurn } from './use-turn.ts'

/** A tile with the result of a query. The stored result stays visible while a newer one is computed, or if that fails. */
export function ReferenceTile(props: {
  /** Undefined where the board is edited. */
  board?: ShownBoard
  tile: Tile
  reference: ReferenceSummary | undefined
  /** Undefined until the states are known. */
  result: TileResult | undefined
  /** Whether the result is for other values, and that for the current ones is looked up. */
  isStale?: boolean
  /** The query string with the tile's values, for the link to the query. */
  search?: string
  isHighlighted?: boolean
  /** Runs the query of this tile. */
  onRun?(): void
  onMark?: ((mark: MarkedRow) => void) | undefined
  /** Replaces the menu, where the board is edited. */
  actions?: ReactNode
}) {
  const { tile, reference, result } = props
  const comments = useComments()
  const element = useRef<HTMLElement>(null)
  const isNear = useIsNear(element)
  const [isTable, setIsTable] = useState(tile.shows === 'table')
  const title = tile.title || reference?.title || 'Query not available'
  const isRunning = result?.status === 'running'
  const canSwitch = reference?.visualization !== undefined && reference.visualization.type !== 'table'
  // Tiles far below the screen have only their title at first, so that a long board is readable sooner.
  const menu = isNear && reference && (
    <Menu trigger={<IconButton label={`Actions for ${title}`} icon={<Ellipsis />} className="size-7" />}>
      {props.onRun && <MenuItem icon={<RefreshCw />} isDisabled={isRunning} onSelect={props.onRun}>Refresh tile</MenuItem>}
      {canSwitch && (
        <MenuItem icon={<Rows3 />} onSelect={() => setIsTable(!isTable)}>{isTable ? 'Show as chart' : 'Show as table'}</MenuItem>
      )}
      {comments && <MenuItem icon={<MessageSquarePlus />} movesFocus onSelect={() => comments.write({ tileId: tile.id })}>Comment on tile</MenuItem>}
      <MenuLink icon={<ExternalLink />} href={paths.permalink(reference.shortId) + (props.search ?? '')}>Open query</MenuLink>
    </Menu>
  )
  return (
    <TileFrame
      ref={element}
      title={title}
      about={isNear && result ? <State result={result} title={title} onRun={props.onRun} /> : undefined}
      actions={props.actions ?? (isNear && <><TileComments tileId={tile.id} title={title} />{menu}</>)}
      isBusy={isRunning}
      isHighlighted={props.isHighlighted ?? false}
    >
      {reference ? (
        <div className={`h-full transition-opacity ${props.isStale ? 'opacity-60' : ''}`}>
          <Content {...props} reference={reference} element={element} isNear={isNear} isTable={isTable} title={title} />
        </div>
      ) : (
        <p className="grid h-full place-items-center text-center text-soft">The query of this tile was deleted, or is not available to you.</p>
      )}
    </TileFrame>
  )
}

/** The age of the shown result, and what happens or happened to a newer one. */
function State({ result, title, onRun }: { result: TileResult; title: string; onRun: (() => void) | undefined }) {
  const { status, runId, completedAt, failureReason, isStopped } = result
  const age = runId !== null && completedAt !== null && <RelativeTime key={completedAt} at={completedAt} />
  // Without a result, the tile itself shows the progress.
  if (status === 'running') return runId !== null && <TileProgress result={result} title={title} isBeside />
  if (status === 'failed' && runId !== null) {
    return (
      <span className="flex items-center gap-1">
        <Tooltip text={`The last refresh failed: ${failureReason ?? 'no reason was recorded.'}`}>
          <button type="button" className="flex items-center gap-1 rounded text-danger" onClick={onRun}>
            <TriangleAlert className="size-3.5" aria-hidden="true" /> Refresh failed. Try again
          </button>
        </Tooltip>
        {age}
      </span>
    )
  }
  if (isStopped && runId !== null) {
    return (
      <span className="flex items-center gap-1">
        <CircleStop className="size-3.5" aria-hidden="true" /> <span className="@max-xs:sr-only">Refresh stopped ·</span> {age}
      </span>
    )
  }
  return age || null
}

function Content(props: {
  board?: ShownBoard
  tile: Tile
  reference: ReferenceSummary
  result: TileResult | undefined
  title: string
  element: RefObject<Element | null>
  isNear: boolean
  isTable: boolean
  onRun?(): void
  onMark?: ((mark: MarkedRow) => void) | undefined
}) {
  const { result, onRun } = props
  if (!result) return <TileSkeleton />
  if (result.runId !== null) return <Rows {...props} runId={result.runId} />
  switch (result.status) {
    case 'running':
      return <TileProgress result={result} title={props.title} isBeside={false} />
    case 'failed':
      if (result.isStopped) {
        return (
          <NoResult
            text={result.failureReason ?? 'Stopped.'}
            icon={<CircleStop />}
            action={onRun && <Button size="small" icon={<Play />} onClick={onRun}>Run again</Button>}
          />
        )
      }
      return (
        <Problem title="Query failed" message={result.failureReason ?? 'No reason was recorded.'} isVerbatim {...(onRun && { onRetry: onRun })} />
      )
    case 'missing':
      return <NoResult text="No results for these values yet" action={onRun && <Button size="small" icon={<Play />} onClick={onRun}>Run</Button>} />
    case 'expired':
      return (
        <NoResult
          text="This result is no longer stored"
          icon={<Clock />}
          action={onRun && <Button size="small" icon={<Play />} onClick={onRun}>Run again</Button>}
        />
      )
    default:
      return <TileSkeleton />
  }
}

function Rows(props: {
  board?: ShownBoard
  tile: Tile
  reference: ReferenceSummary
  runId: string
  title: string
  element: RefObject<Element | null>
  isNear: boolean
  isTable: boolean
  onMark?: ((mark: MarkedRow) => void) | undefined
}) {
  const { board, tile, reference, runId, isTable, isNear } = props
  const rows = useTileRows({ board, tile, reference, runId, isTable, isNear })
  const isCodeLoaded = useDrawnChartCode(!isTable && isDrawn(reference.visualization))
  const hadTurn = useTurn(props.element, rows.data !== undefined && isCodeLoaded)
  const onComment = useCommentOnPoint({ runId, tileId: props.tile.id })
  if (rows.isError && !rows.data) {
    return <Problem title="Couldn’t load the result" message={messageOf(rows.error)} onRetry={() => void rows.refetch()} />
  }
  if (!rows.data || !hadTurn) return <TileSkeleton />
  return (
    <ResultPicture
      visualization={reference.visualization}
      isTable={props.isTable}
      result={rows.data}
      label={props.title}
      onMark={props.onMark}
      onComment={onComment}
    />
  )
}

function NoResult({ text, icon, action }: { text: string; icon?: ReactNode; action: ReactNode }) {
  return (
    <div className="grid h-full place-content-center justify-items-center gap-2 text-center text-soft [&_svg]:size-4">
      <p className="flex items-center gap-1.5">{icon}{text}</p>
      {action}
    </div>
  )
}

function TileSkeleton() {
  return <div className="h-full min-h-8 animate-pulse rounded-md bg-raised" role="status" aria-label="Loading result" />
}
