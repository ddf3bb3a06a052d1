import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ListedAutomationRun } from '../../api/automation-runs.ts'
import { type Automation, automationRunsOptions } from '../../api/automations.ts'
import { Link } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Status } from '../../ui/status.tsx'
import { duration, Time } from '../../ui/time.tsx'
import { triggerLabels } from './labels.ts'

/** The runs of one automation, newest first. */
export function RunHistory({ automation }: { automation: Pick<Automation, 'id' | 'latestRun'> }) {
  const { id, latestRun } = automation
  const query = useInfiniteQuery(automationRunsOptions(id))
  const client = useQueryClient()
  const [latestId, latestStatus] = [latestRun?.id, latestRun?.status]
  useEffect(() => {
    // The automation's latest run is new or has ended, so the history is out of date.
    void client.invalidateQueries({ queryKey: automationRunsOptions(id).queryKey })
  }, [client, id, latestId, latestStatus])
  return (
    <Card title="History">
      <Loaded query={query}>
        {(runs) =>
          runs.length === 0 ? (
            <p className="text-soft">No runs yet.</p>
          ) : (
            <ul className="-m-4 divide-y divide-line">{runs.map((run) => <RunItem key={run.id} run={run} />)}</ul>
          )
        }
      </Loaded>
      <Pager query={query} />
    </Card>
  )
}

function RunItem({ run }: { run: ListedAutomationRun }) {
  // Two lines have no room for a list, so its items become sentences.
  const outcome = run.summary?.replaceAll(/^- /gm, '') ?? run.reason
  const { startedAt, endedAt } = run
  const tookMs = startedAt !== null && endedAt !== null ? Date.parse(endedAt) - Date.parse(startedAt) : undefined
  return (
    <li>
      <Link
        href={paths.chat(run.chatShortId)}
        className="grid gap-x-4 gap-y-1 px-4 py-3 text-ink no-underline hover:bg-raised sm:grid-cols-[7rem_minmax(0,1fr)_auto]"
      >
        <Status status={run.status} isStopped={run.isStopped} />
        <span className="text-soft">
          <Time at={run.requestedAt} /> · {triggerLabels[run.trigger]}
          {run.isLate && ', late'}
        </span>
        <span className="text-soft tabular-nums">{tookMs !== undefined && `took ${duration(tookMs)}`}</span>
        {outcome !== null && <span className="line-clamp-2 [overflow-wrap:anywhere] sm:col-start-2 sm:col-span-2">{outcome}</span>}
      </Link>
    </li>
  )
}
