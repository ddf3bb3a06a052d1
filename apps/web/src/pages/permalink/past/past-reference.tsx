import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { ReferenceInFull } from '../../../api/references.ts'
import { messageOf } from '../../../api/request.ts'
import { keptResultFileUrl, keptResultsOptions, openKeptResult, type PastResult, pastReferenceOptions } from '../../../api/result-history.ts'
import { StoredSql } from '../../../editor/stored-sql.tsx'
import { Link, navigate } from '../../../location.tsx'
import { NothingKept, PastBanner } from '../../../past/past-banner.tsx'
import { withMoment } from '../../../past/moment.ts'
import { useOpenedResult } from '../../../results/use-result.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { fileSize } from '../../../ui/file-size.ts'
import { Loaded } from '../../../ui/loaded.tsx'
import { Problem } from '../../../ui/notice.tsx'
import { PageHead } from '../../../ui/page-head.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useTitle } from '../../../ui/use-title.ts'
import { useLocation } from '../../../use-location.ts'
import { paths } from '../../../paths.ts'
import { ResultView } from '../reference-result.tsx'
import { RunSlider } from './run-slider.tsx'

/** `/q/:shortId?at=`: what a query showed at a time, with the SQL, the values and the chart of then. */
export function PastReference({ reference, at }: { reference: ReferenceInFull; at: string }) {
  const { shortId } = reference
  useTitle(reference.title)
  const past = useQuery(pastReferenceOptions(shortId, at))
  const kept = useInfiniteQuery(keptResultsOptions(shortId))
  const { search } = useLocation()
  const goTo = (time: string) => navigate(paths.permalink(shortId) + withMoment(search, time), { replace: true })
  return (
    <article className="grid grid-cols-[minmax(0,1fr)] gap-4 [&>.page-head]:mb-0">
      <PageHead title={past.data?.shown?.title ?? reference.title} description={past.data?.shown?.description ?? undefined} />
      <PastBanner at={past.data?.shown?.result.at ?? at}>
        {kept.data && kept.data.length > 1 && (
          <RunSlider results={kept.data} shownId={past.data?.shown?.result.runId} onChoose={(result) => goTo(result.at)} />
        )}
      </PastBanner>
      <Loaded query={past}>
        {({ shown, oldestAt }) =>
          shown ? (
            <PastResultView key={shown.result.runId} shortId={shortId} shown={shown} />
          ) : (
            <EmptyState title="No result is kept from this time"><NothingKept oldestAt={oldestAt} /></EmptyState>
          )
        }
      </Loaded>
    </article>
  )
}

const count = new Intl.NumberFormat()

function PastResultView({ shortId, shown }: { shortId: string; shown: PastResult }) {
  const { result, sql, queryId, parameterValues, visualization } = shown
  const { state, retry } = useOpenedResult(result.runId, (runId, signal) => openKeptResult(shortId, runId, signal))
  const values = Object.entries(parameterValues)
  return (
    <>
      <section className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3" aria-label="Result" aria-busy={state.status === 'loading'}>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="mr-auto flex flex-wrap items-baseline gap-x-3">
            <span className="font-medium">{count.format(result.rowCount)} {result.rowCount === 1 ? 'row' : 'rows'}</span>
            <span className="text-xs text-soft">{fileSize(result.sizeBytes)}</span>
          </p>
          <a className={buttonClass({ size: 'small' })} href={keptResultFileUrl(shortId, result.runId, 'csv')} download>
            <Download aria-hidden="true" /> Download CSV
          </a>
        </div>
        {state.status === 'loading' && <Skeleton rows={6} />}
        {state.status === 'failed' && <Problem title="Couldn’t load the result" message={messageOf(state.error)} onRetry={retry} />}
        {state.status === 'ready' && (
          <ResultView
            reference={{ ...(visualization && { visualization }) }}
            result={state.result}
            onFormat={undefined}
            onComment={undefined}
            onSaveChart={undefined}
          />
        )}
      </section>
      {values.length > 0 && (
        <section className="grid gap-2" aria-label="Parameter values">
          <h2 className="text-sm font-medium">Parameter values</h2>
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
            {values.map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="text-soft">{name}</dt>
                <dd className="[overflow-wrap:anywhere]">{[value].flat().map(String).join(', ')}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {sql !== null && (
        <details className="overflow-hidden rounded-lg border border-line bg-surface">
          <summary className="px-4 py-2 font-medium">SQL</summary>
          <div className="border-t border-line">
            <StoredSql queryId={queryId} className="max-h-96 overflow-auto" label="SQL" value={sql} />
          </div>
        </details>
      )}
      <p className="text-sm text-soft">
        This link shows the same as long as the result is kept. <Link className="underline" href={paths.results(shortId, { to: result.runId })}>Compare with another result</Link>
      </p>
    </>
  )
}
