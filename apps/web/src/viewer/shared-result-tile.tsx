import { Download } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { SharedTile, SharedTileResult, ViewerDownload } from '../api/generated/schemas.ts'
import type { MarkedRow } from '../pages/boards/content/cross-filter.ts'
import { TileFrame } from '../pages/boards/view/tile-frame.tsx'
import { useIsNear } from '../pages/boards/view/use-is-near.ts'
import type { LoadedResult } from '../results/load-result.ts'
import { formatNames } from '../sharing/format-names.ts'
import { RelativeTime } from '../ui/time.tsx'
import { saveDownload } from './save-download.ts'
import type { ViewerClient, ViewerValues } from './viewer-client.ts'

/** Charts and tables are loaded with the first result. */
const ResultPicture = lazy(async () => ({ default: (await import('../pages/boards/view/result-picture.tsx')).ResultPicture }))

/** The stored result of a query. It stays visible while another one is loaded. */
export function SharedResultTile(props: {
  tile: SharedTile
  /** Undefined until the states are known. */
  result: SharedTileResult | undefined
  values: ViewerValues
  client: ViewerClient
  downloads: ViewerDownload[]
  /** Another number loads rows that could not be loaded again. */
  attempt: number
  /** What a click on a category does; undefined if it shows the rows behind it. */
  onMark: ((mark: MarkedRow) => void) | undefined
  /** For a query, whose title is that of the page. */
  isTitleHidden: boolean
}) {
  const { tile, result, values, client, downloads, attempt } = props
  const element = useRef<HTMLElement>(null)
  const isNear = useIsNear(element)
  const title = tile.title ?? 'Result'
  const hasResult = result !== undefined && result.completedAt !== null
  const { rows, error } = useRows({ tileId: tile.id, completedAt: isNear && hasResult ? result.completedAt : null, values, client, attempt })
  return (
    <div className="group h-full">
      <TileFrame
        ref={element}
        title={props.isTitleHidden ? <span className="sr-only">{title}</span> : title}
        actions={
          hasResult && (
            <>
              {/* With a mouse, the buttons take no room from the title until they are needed. */}
              <span className="flex shrink-0 overflow-hidden group-focus-within:w-auto group-hover:w-auto pointer-fine:w-0">
                {downloads.map((format) => <DownloadButton key={format} {...{ format, tile, title, values, client }} />)}
              </span>
              {!props.isTitleHidden && <span className="shrink-0 pr-2 text-xs text-soft"><RelativeTime key={result.completedAt} at={result.completedAt!} /></span>}
            </>
          )
        }
        isBusy={result?.status === 'running'}
      >
        {error !== undefined ? (
          <Centered text={error} />
        ) : result && !hasResult ? (
          <Centered text={emptyTexts[result.status]} />
        ) : rows ? (
          <Suspense fallback={<TileSkeleton />}>
            <ResultPicture visualization={tile.visualization} isTable={tile.shows === 'table'} result={rows} label={title} onMark={props.onMark} />
          </Suspense>
        ) : (
          <TileSkeleton />
        )}
      </TileFrame>
    </div>
  )
}

const emptyTexts: Record<SharedTileResult['status'], string> = {
  ready: '',
  running: 'Running…',
  missing: 'No results for these values yet',
  failed: 'This result isn’t available',
}

function useRows(wanted: { tileId: string; completedAt: string | null; values: ViewerValues; client: ViewerClient; attempt: number }) {
  const { tileId, completedAt, values, client, attempt } = wanted
  const [rows, setRows] = useState<LoadedResult>()
  const [error, setError] = useState<string>()
  const [round, setRound] = useState(0)
  const hasFailed = useRef(false)
  useEffect(() => {
    if (hasFailed.current) setRound(attempt)
  }, [attempt])
  useEffect(() => {
    if (completedAt === null) return
    const leaving = new AbortController()
    const load = async () => {
      const { loadResult } = await import('../results/load-result.ts')
      const response = await client.openResult(tileId, values, leaving.signal)
      const loaded = await loadResult(response.body!)
      if (leaving.signal.aborted) return
      hasFailed.current = false
      setRows(loaded)
      setError(undefined)
    }
    load().catch((failure: Error) => {
      if (leaving.signal.aborted) return
      hasFailed.current = true
      setError(failure.message)
    })
    return () => leaving.abort()
  }, [tileId, completedAt, values, client, round])
  return { rows, error }
}

function DownloadButton(props: { format: ViewerDownload; tile: SharedTile; title: string; values: ViewerValues; client: ViewerClient }) {
  const { format, tile, title, values, client } = props
  const [isBusy, setIsBusy] = useState(false)
  const [isFailed, setIsFailed] = useState(false)
  const download = async () => {
    setIsBusy(true)
    try {
      saveDownload(await client.openDownload(tile.id, values, format))
      setIsFailed(false)
    } catch {
      setIsFailed(true)
    }
    setIsBusy(false)
  }
  return (
    <button
      type="button"
      disabled={isBusy}
      aria-label={`Download ${title} as ${formatNames[format]}`}
      className="flex h-7 items-center gap-1 rounded px-1.5 text-xs -outline-offset-2 text-soft hover:bg-raised hover:text-ink disabled:opacity-50"
      onClick={() => void download()}
    >
      <Download className="size-3.5 @max-sm:hidden" aria-hidden="true" /> {isFailed ? 'Try again' : formatNames[format]}
    </button>
  )
}

const Centered = ({ text }: { text: string }) => <p className="grid h-full place-items-center text-center text-soft">{text}</p>

const TileSkeleton = () => <div className="h-full min-h-8 animate-pulse rounded-md bg-raised" role="status" aria-label="Loading result" />
