import { messageOf } from '../../api/request.ts'
import { getFirstRows, resultAddress, type Run } from '../../api/runs.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { Hint, Loading } from '../../ui/notice.tsx'
import { OneNumber } from '../../ui/one-number.tsx'
import { ResultTable } from '../../ui/result-table.tsx'
import { seconds, Time } from '../../ui/time.tsx'

const rowsShown = 500
const count = new Intl.NumberFormat()

/** The result of one completed run. */
export function Result(props: { run: Run; fileName: string; isNumber?: boolean }) {
  const { run, fileName, isNumber = false } = props
  const { loaded } = useLoaded(run.id, (signal) => getFirstRows(run.id, { limit: rowsShown, signal }))
  if (loaded.status === 'loading') return <Loading />
  // Most likely its lifetime is over; the service says so, and what to do.
  if (loaded.status === 'failed') return <Hint>{messageOf(loaded.error)}</Hint>
  const { fields, rows } = loaded.value
  const rowCount = run.rowCount ?? rows.length
  const isOneNumber = isNumber && fields.length > 0 && rows.length > 0
  return (
    <section className="result" aria-label="Result">
      {isOneNumber && <OneNumber field={fields[0]!} value={rows[0]![0]} />}
      <p className="result-head">
        <span>
          {rows.length < rowCount
            ? `Showing ${count.format(rows.length)} of ${count.format(rowCount)} rows`
            : `${count.format(rowCount)} ${rowCount === 1 ? 'row' : 'rows'}`}
        </span>
        <span className="soft small">
          {run.completedAt && <Time at={run.completedAt} />}
          {run.durationMs !== null && ` · took ${seconds(run.durationMs)}`}
        </span>
        <a href={resultAddress(run.id)} download={fileName}>
          Download JSON
        </a>
      </p>
      <ResultTable fields={fields} rows={rows} />
    </section>
  )
}
