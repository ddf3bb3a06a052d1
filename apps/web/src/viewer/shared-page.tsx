import { Download, RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { SharedView } from '../api/generated/schemas.ts'
import { ChartPalette } from '../charts/chart-palette.ts'
import { FilterChips } from '../pages/boards/view/filter-chips.tsx'
import { TileGrid } from '../pages/boards/view/tile-grid.tsx'
import { formatNames } from '../sharing/format-names.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Problem } from '../ui/notice.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { clickedFilters, stillChangeable, withClick } from './click-filter.ts'
import { saveDownload } from './save-download.ts'
import { ParameterChoices } from './parameter-choices.tsx'
import { OtherSharedTile } from './other-shared-tile.tsx'
import { SharedResultTile } from './shared-result-tile.tsx'
import { useSharedResults } from './use-shared-results.ts'
import type { ViewerClient, ViewerError, ViewerValues } from './viewer-client.ts'

/** A shared query or board: the results first, then what the viewer may change. */
export function SharedPage(props: {
  view: SharedView
  client: ViewerClient
  isEmbedded?: boolean
  /** The colors of charts, instead of those of the organization. */
  chartColors?: string[] | undefined
  /** Another number sends requests that failed again. */
  attempt?: number
  /** When the viewer has changed parameters. */
  onValues?(values: ViewerValues): void
}) {
  const { view, client, isEmbedded = false, attempt = 0 } = props
  const { title, description, parameters, tabs, tiles, allowsRefresh } = view
  const [chosen, setChosen] = useState<ViewerValues>({})
  const values = stillChangeable(chosen, parameters)
  const setValues = (changed: ViewerValues) => {
    setChosen(changed)
    props.onValues?.(changed)
  }
  const [tabId, setTabId] = useState(tabs[0]?.id)
  const results = useSharedResults(client, values, allowsRefresh, attempt)
  useEffect(() => {
    document.title = title
  }, [title])
  const shown = tiles.filter((tile) => (tile.tabId ?? tabs[0]?.id) === tabId)
  const times = [...results.byTile.values()].flatMap(({ completedAt }) => completedAt ?? []).toSorted()
  const isWhole = view.kind === 'reference'
  const remove = (name: string) => {
    const { [name]: _, ...others } = values
    setValues(others)
  }

  return (
    <ChartPalette value={props.chartColors ?? view.chartPalette}>
      <main className={'mx-auto grid w-full max-w-7xl grid-cols-[minmax(0,1fr)] content-start gap-4 ' + (isEmbedded ? 'p-2' : 'p-4 sm:p-6')}>
        <header className="grid gap-1">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <h1 className="mr-auto min-w-0">{title}</h1>
            {times[0] !== undefined && (
              <span className="text-xs text-soft">{times.length === 1 ? 'Updated' : 'Oldest result:'} <RelativeTime key={times[0]} at={times[0]} /></span>
            )}
            {!isWhole && <BoardDownloads view={view} client={client} values={values} tabId={tabId} />}
            {allowsRefresh && (
              <Button icon={<RefreshCw />} isBusy={results.isRunning} onClick={results.refresh}>
                {results.isRunning ? 'Refreshing…' : 'Refresh'}
              </Button>
            )}
          </div>
          {description !== null && <p className="max-w-3xl whitespace-pre-wrap text-soft [overflow-wrap:anywhere]">{description}</p>}
        </header>
        {parameters.length > 0 && <ParameterChoices parameters={parameters} values={values} onChange={setValues} />}
        <FilterChips filters={clickedFilters(tiles, parameters, values)} onRemove={remove} />
        {results.error && <Problem title="Couldn’t update the results" message={results.error.message} />}
        {tabs.length > 1 && (
          <nav className="flex gap-4 overflow-x-auto border-b border-line" aria-label="Tabs">
            {tabs.map((tab) => (
              <button
                key={tab.id}
                type="button"
                aria-current={tab.id === tabId}
                className={classNames(
                  '-mb-px border-b-2 px-0.5 py-2 font-medium whitespace-nowrap hover:text-ink',
                  tab.id === tabId ? 'border-accent' : 'border-transparent text-soft',
                )}
                onClick={() => setTabId(tab.id)}
              >
                {tab.title}
              </button>
            ))}
          </nav>
        )}
        <TileGrid tiles={shown} isNumber={(tile) => tile.shows !== 'table' && tile.visualization?.type === 'number'}>
          {(tile) =>
            tile.kind === 'reference' ? (
              <SharedResultTile
                tile={tile}
                result={results.byTile.get(tile.id)}
                values={values}
                client={client}
                downloads={view.downloads}
                attempt={attempt}
                onMark={
                  tile.filters &&
                  ((mark) => {
                    const changed = withClick({ parameters, values, filters: tile.filters!, mark })
                    if (changed) setValues(changed)
                  })
                }
                isTitleHidden={isWhole}
              />
            ) : (
              <OtherSharedTile tile={tile} client={client} />
            )
          }
        </TileGrid>
        {shown.map(({ id, sql, title: of }) => sql !== undefined && (
          <details key={id} className="rounded-lg border border-line bg-surface px-4 py-2">
            <summary className="font-medium">SQL{!isWhole && of !== null && ` of ${of}`}</summary>
            <pre className="overflow-x-auto py-2 font-mono text-xs">{sql}</pre>
          </details>
        ))}
      </main>
    </ChartPalette>
  )
}

/** The whole board as a file, in the formats that the viewer may download. */
function BoardDownloads({ view, client, values, tabId }: { view: SharedView; client: ViewerClient; values: ViewerValues; tabId: string | undefined }) {
  const [busy, setBusy] = useState<string>()
  const [error, setError] = useState<string>()
  const download = async (format: string) => {
    setBusy(format)
    setError(undefined)
    await client.openBoardDownload(values, format, tabId).then(saveDownload, (failure: ViewerError) => setError(failure.message))
    setBusy(undefined)
  }
  return (
    <>
      {error !== undefined && <span role="alert" className="text-xs text-danger">{error}</span>}
      {view.downloads
        .filter((format) => format !== 'csv')
        .map((format) => (
          <Button key={format} icon={<Download />} isBusy={busy === format} onClick={() => void download(format)}>
            <span className="sr-only">Download board as </span>
            {formatNames[format]}
          </Button>
        ))}
    </>
  )
}
