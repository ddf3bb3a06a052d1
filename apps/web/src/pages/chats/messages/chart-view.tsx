import type { ChartStep } from '../../../api/chats.ts'
import { messageOf } from '../../../api/request.ts'
import { getFirstRows } from '../../../api/runs.ts'
import { useLoaded } from '../../../api/use-loaded.ts'
import { Link } from '../../../location.tsx'
import { paths } from '../../../paths.ts'
import { readChart } from './chart-data.ts'
import { ChartDrawing } from './chart-drawing.tsx'
import { PreviewTable } from './preview-table.tsx'

const rowsDrawn = 500

/**
 * A chart, drawn where it is a simple one, with its rows below. The chat has all of them, or none where they are
 * many.
 */
export function ChartView({ step }: { step: ChartStep }) {
  const { title, visualization, preview, runId } = step
  const { loaded } = useLoaded(runId, async (signal) => preview ?? (await getFirstRows(runId, { limit: rowsDrawn, signal })))
  const rows = preview ?? (loaded.status === 'ready' ? loaded.value : null)
  const data = rows ? readChart(visualization, rows) : undefined
  return (
    <section aria-label={`Chart: ${title}`}>
      <p className="kind">
        Chart, {visualization.type} · <Link href={paths.run(runId)}>Run</Link>
      </p>
      <h3>{title}</h3>
      {data && <ChartDrawing data={data} isBars={visualization.type === 'bar'} title={title} />}
      {rows && (
        <details open={!data}>
          <summary className="small">Rows</summary>
          <PreviewTable preview={rows} rowCount={null} />
        </details>
      )}
      {/* Most likely its lifetime is over; the service says so, and what to do. */}
      {!rows && loaded.status === 'failed' && <p className="soft small">{messageOf(loaded.error)}</p>}
    </section>
  )
}
