import { Download } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { SharedTile, SharedTileResult, ViewerDownload } from '../api/generated/schemas.ts'
import { TileFrame } from '../pages/boards/view/tile-frame.tsx'
import { useIsNear } from '../pages/boards/view/use-is-near.ts'
import type { LoadedResult } from '../results/load-result.ts'
import { RelativeTime } from '../ui/time.tsx'
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
  /** For a query, whose title is that of the page. */
  isTitleHidden: boolean
}) {
  const { tile, result, values, client, downloads } = props
  const element = useRef<HTMLElement>(null)
  const isNear = useIsNear(element)
  const title = tile.title ?? 'Result'
  const hasResult = result !== undefined && result.completedAt !== null
  const { rows, error } = useRows({ tileId: tile.id, completedAt: isNear && hasResult ? result.completedAt : null, values, client })
  return (
    <div className="group h-full">
      <TileFrame
        ref={element}
        title={props.isTitleHidden ? <span className="sr-only">{title}</span> : title}
        actions={
          hasResult && (
            <>
              {downloads.map((format) => <DownloadButton key={format} {...{ format, tile, title, values, client }} />)}
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
            <ResultPicture visualization={tile.visualization} isTable={tile.shows === 'table'} result={rows} label={title} onMark={undefined} />
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

function useRows(wanted: { tileId: string; completedAt: string | null; values: ViewerValues; client: ViewerClient }) {
  const { tileId, completedAt, values, client } = wanted
  const [rows, setRows] = useState<LoadedResult>()
  const [error, setError] = useState<string>()
  useEffect(() => {
    if (completedAt === null) return
    const leaving = new AbortController()
    const load = async () => {
      const { loadResult } = await import('../results/load-result.ts')
      const response = await client.openResult(tileId, values, leaving.signal)
      const loaded = await loadResult(response.body!)
      if (leaving.signal.aborted) return
      setRows(loaded)
      setError(undefined)
    }
    load().catch((failure: Error) => {
      if (!leaving.signal.aborted) setError(failure.message)
    })
    return () => leaving.abort()
  }, [tileId, completedAt, values, client])
  return { rows, error }
}

function DownloadButton(props: { format: ViewerDownload; tile: SharedTile; title: string; values: ViewerValues; client: ViewerClient }) {
  const { format, tile, title, values, client } = props
  const [isBusy, setIsBusy] = useState(false)
  const [isFailed, setIsFailed] = useState(false)
  const download = async () => {
    setIsBusy(true)
    try {
      const { name, content } = await client.openDownload(tile.id, values, format)
      saveFile(name, content)
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
      aria-label={`Download ${title} as ${format.toUpperCase()}`}
      className="flex h-7 transition-opacity group-hover:opacity-100 focus-visible:opacity-100 pointer-fine:opacity-0 items-center gap-1 rounded px-1.5 text-xs text-soft hover:bg-raised hover:text-ink disabled:opacity-50"
      onClick={() => void download()}
    >
      <Download className="size-3.5" aria-hidden="true" /> {isFailed ? 'Try again' : format.toUpperCase()}
    </button>
  )
}

function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

const Centered = ({ text }: { text: string }) => <p className="grid h-full place-items-center text-center text-soft">{text}</p>

const TileSkeleton = () => <div className="h-full min-h-8 animate-pulse rounded-md bg-raised" role="status" aria-label="Loading result" />
