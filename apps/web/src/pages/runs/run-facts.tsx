import type { ReactNode } from 'react'
import { isEnded, type RunInFull } from '../../api/runs.ts'
import { paths } from '../../paths.ts'
import { fileSize } from '../../ui/file-size.ts'
import { Status } from '../../ui/status.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { duration, Time } from '../../ui/time.tsx'
import { TriggerOf } from './trigger-of.tsx'

const count = new Intl.NumberFormat()

/** Status, times, cost and origin of a run, with links. */
export function RunFacts({ run }: { run: RunInFull }) {
  return (
    <dl className="mt-1 flex flex-wrap gap-x-8 gap-y-2">
      <Fact name="Status"><Status status={run.status} isStopped={run.isStopped} /></Fact>
      <Fact name="Requested"><Time at={run.runAt} /></Fact>
      {run.completedAt !== null && <Fact name="Ended"><Time at={run.completedAt} /></Fact>}
      {run.durationMs !== null && <Fact name="Duration">{duration(run.durationMs)}</Fact>}
      {isEnded(run) && run.status === 'completed' && (run.rowsRead !== null || run.bytesRead !== null) && (
        <Fact name="Read">{readText(run)}</Fact>
      )}
      <Fact name="Started by"><TriggerOf trigger={run.triggeredBy} /></Fact>
      <Fact name={run.references.length > 1 ? 'Queries' : 'Query'}>
        <References run={run} />
      </Fact>
    </dl>
  )
}

/** Some engines count only rows, others only bytes. */
function readText({ rowsRead, bytesRead }: RunInFull): string {
  const parts = [rowsRead !== null && `${count.format(rowsRead)} rows`, bytesRead !== null && fileSize(bytesRead)]
  return parts.filter((part) => part !== false).join(', ')
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs">{name}</dt>
      <dd className="text-ink [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}

/** SQL that was never saved, or has been replaced since, still has a page. */
function References({ run }: { run: RunInFull }) {
  if (run.references.length === 0) return <TextLink href={paths.query(run.queryId)}>View SQL</TextLink>
  return (
    <ul className="flex flex-wrap gap-x-3">
      {run.references.map(({ shortId, title }) => (
        <li key={shortId}><TextLink href={paths.permalink(shortId)}>{title}</TextLink></li>
      ))}
    </ul>
  )
}
