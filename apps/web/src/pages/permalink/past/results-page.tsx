import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Pin, PinOff } from 'lucide-react'
import { referenceOptions } from '../../../api/references.ts'
import { messageOf } from '../../../api/request.ts'
import { type KeptResult, keptResultsOptions, pinResult, unpinResult } from '../../../api/result-history.ts'
import { navigate } from '../../../location.tsx'
import { withMoment } from '../../../past/moment.ts'
import { paths } from '../../../paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { fileSize } from '../../../ui/file-size.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { PageHead } from '../../../ui/page-head.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { TextLink } from '../../../ui/text-link.tsx'
import { Time } from '../../../ui/time.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { useTitle } from '../../../ui/use-title.ts'
import { useLocation } from '../../../use-location.ts'
import { ComparedResults } from './compared-results.tsx'

/** `/q/:shortId/results?from&to`: the kept results of a query, and a comparison of two of them. */
export function ResultsPage({ shortId }: { shortId: string }) {
  const { search } = useLocation()
  const given = new URLSearchParams(search)
  const reference = useQuery(referenceOptions(shortId))
  const kept = useInfiniteQuery(keptResultsOptions(shortId))
  const title = reference.data?.title
  useTitle(title === undefined ? 'Results' : `Results of ${title}`)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 [&>.page-head]:mb-0">
      <PageHead
        title="Results over time"
        description="Every result of this query that is kept. Choose two to compare them."
        above={title !== undefined && <TextLink href={paths.permalink(shortId)}>{title}</TextLink>}
      />
      <Loaded query={kept}>
        {(results) =>
          results.length === 0 ? (
            <EmptyState title="No results are kept yet"><p>Results appear here a few seconds after a run has completed.</p></EmptyState>
          ) : (
            <Results shortId={shortId} results={results} chosen={chosenOf(results, given)} />
          )
        }
      </Loaded>
      <Pager query={kept} />
    </div>
  )
}

interface Chosen {
  from: string | undefined
  to: string | undefined
}

/** By default, the newest result and the one before it that differs from it. */
function chosenOf(results: KeptResult[], given: URLSearchParams): Chosen {
  const to = given.get('to') ?? results[0]?.runId
  const place = results.findIndex(({ runId }) => runId === to)
  const earlier = results.slice(place + 1).find(({ resultHash }) => resultHash !== results[place]?.resultHash) ?? results[place + 1]
  return { from: given.get('from') ?? earlier?.runId, to }
}

function Results({ shortId, results, chosen }: { shortId: string; results: KeptResult[]; chosen: Chosen }) {
  const { from, to } = chosen
  const choose = (changed: Partial<Record<'from' | 'to', string>>) =>
    navigate(paths.results(shortId, { ...(from && { from }), ...(to && { to }), ...changed }), { replace: true })
  return (
    <>
      <div className="overflow-x-auto rounded-lg border border-line bg-surface">
        <table className="w-full text-sm" aria-label="Kept results">
          <thead>
            <tr className="border-b border-line text-left text-xs text-soft">
              <th scope="col" className="px-3 py-2 font-medium">From</th>
              <th scope="col" className="px-3 py-2 font-medium">To</th>
              <th scope="col" className="px-3 py-2 font-medium">Time</th>
              <th scope="col" className="px-3 py-2 text-right font-medium">Rows</th>
              <th scope="col" className="px-3 py-2 text-right font-medium max-sm:hidden">Size</th>
              <th scope="col" className="px-3 py-2"><span className="sr-only">Pin</span></th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {results.map((result, place) => (
              <ResultRow
                key={result.runId}
                shortId={shortId}
                result={result}
                before={results[place + 1]}
                isFrom={result.runId === from}
                isTo={result.runId === to}
                onChoose={choose}
              />
            ))}
          </tbody>
        </table>
      </div>
      {from !== undefined && to !== undefined && from !== to && <ComparedResults key={`${from} ${to}`} shortId={shortId} from={from} to={to} />}
    </>
  )
}

const count = new Intl.NumberFormat()
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

function ResultRow(props: {
  shortId: string
  result: KeptResult
  before: KeptResult | undefined
  isFrom: boolean
  isTo: boolean
  onChoose(changed: Partial<Record<'from' | 'to', string>>): void
}) {
  const { shortId, result, before, onChoose } = props
  const { runId, at } = result
  const time = exact.format(new Date(at))
  return (
    <tr>
      <td className="px-3 py-2">
        <input type="radio" name="from" className="size-4 accent-accent" aria-label={`Compare from ${time}`} checked={props.isFrom} onChange={() => onChoose({ from: runId })} />
      </td>
      <td className="px-3 py-2">
        <input type="radio" name="to" className="size-4 accent-accent" aria-label={`Compare to ${time}`} checked={props.isTo} onChange={() => onChoose({ to: runId })} />
      </td>
      <td className="px-3 py-2">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <TextLink href={paths.permalink(shortId) + withMoment('', at)}><Time at={at} /></TextLink>
          {before && (before.resultHash === result.resultHash ? <span className="text-xs text-soft">Unchanged</span> : <Badge color="accent">Changed</Badge>)}
          {result.isPinned && <Badge>Pinned</Badge>}
        </span>
      </td>
      <td className="px-3 py-2 text-right tabular-nums">{count.format(result.rowCount)}</td>
      <td className="px-3 py-2 text-right whitespace-nowrap tabular-nums max-sm:hidden">{fileSize(result.sizeBytes)}</td>
      <td className="px-2 py-1 text-right"><PinButton shortId={shortId} result={result} time={time} /></td>
    </tr>
  )
}

/** Pinned results never expire. */
function PinButton({ shortId, result, time }: { shortId: string; result: KeptResult; time: string }) {
  const { runId, isPinned } = result
  const client = useQueryClient()
  const toast = useToast()
  const pinning = useMutation({
    mutationFn: () => (isPinned ? unpinResult(shortId, runId) : pinResult(shortId, runId)),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keptResultsOptions(shortId).queryKey })
      toast.show({ message: isPinned ? 'Unpinned. The result expires like the others.' : 'Pinned. The result is kept until you unpin it.' })
    },
    onError: (error) => toast.show({ message: messageOf(error), isProblem: true }),
  })
  return (
    <IconButton
      label={isPinned ? `Unpin the result of ${time}` : `Pin the result of ${time}`}
      icon={isPinned ? <PinOff /> : <Pin />}
      disabled={pinning.isPending}
      onClick={() => pinning.mutate()}
    />
  )
}
