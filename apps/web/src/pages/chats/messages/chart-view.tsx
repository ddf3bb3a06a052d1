import { useQuery } from '@tanstack/react-query'
import type { ChartStep } from '../../../api/chats.ts'
import { messageOf } from '../../../api/request.ts'
import { openResult } from '../../../api/runs.ts'
import { ChartView as Chart } from '../../../charts/chart-view.tsx'
import { paths } from '../../../paths.ts'
import { loadResult } from '../../../results/load-result.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { TextLink } from '../../../ui/text-link.tsx'

const limits = { rows: 20_000, bytes: 16 * 1024 * 1024 }
const count = new Intl.NumberFormat()

/** A chart drawn by an agent. The chat stores its rows unless there are many; then they are loaded from the run. */
export function ChartView({ step }: { step: ChartStep }) {
  const { title, visualization, preview, runId } = step
  const query = useQuery({
    queryKey: ['runs', runId, 'chart-rows'],
    queryFn: async ({ signal }) => loadResult((await openResult(runId, signal)).body!, { limits }),
    enabled: preview === null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const shown = preview ?? query.data
  return (
    <section aria-label={`Chart: ${title}`} className="grid min-w-0 gap-2">
      <header className="flex flex-wrap items-baseline gap-x-3">
        <h3 className="[overflow-wrap:anywhere]">{title}</h3>
        <TextLink href={paths.run(runId)}>Run</TextLink>
      </header>
      {shown && <Chart visualization={visualization} fields={shown.fields} rows={shown.rows} />}
      {query.data?.isCut && <p className="text-xs text-soft">Showing the first {count.format(query.data.rows.length)} rows.</p>}
      {/* Most likely the result has expired; the service's message says what to do. */}
      {!shown && (query.error ? <p className="text-soft">{messageOf(query.error)}</p> : <Skeleton rows={4} />)}
    </section>
  )
}
