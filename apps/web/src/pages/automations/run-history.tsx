import { useEffect, useRef } from 'react'
import { type AutomationRun, isAtWork } from '../../api/automation-runs.ts'
import { listAutomationRuns } from '../../api/automations.ts'
import { messageOf } from '../../api/request.ts'
import { usePages } from '../../api/use-pages.ts'
import { Link } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { LoadMore } from '../../ui/load-more.tsx'
import { Loading, Problem } from '../../ui/notice.tsx'
import { Status } from '../../ui/status.tsx'
import { duration, Time } from '../../ui/time.tsx'
import { usePolling } from '../../ui/use-polling.ts'
import { triggerWords } from './words.ts'

const lookEveryMs = 2_000

/** The runs of one automation, newest first. `onSettled` is called when one that was under way has ended. */
export function RunHistory({ automationId, onSettled }: { automationId: string; onSettled(): void }) {
  const { loaded, more, reload } = usePages(
    automationId,
    (options) => listAutomationRuns(automationId, options),
    (run) => run.id,
  )
  const isUnderWay = loaded.status === 'ready' && loaded.value.some(isAtWork)
  usePolling({ isWanted: isUnderWay, everyMs: lookEveryMs, look: reload })
  const wasUnderWay = useRef(false)
  useEffect(() => {
    if (wasUnderWay.current && !isUnderWay) onSettled()
    wasUnderWay.current = isUnderWay
  }, [isUnderWay, onSettled])
  return (
    <section aria-label="History">
      <h2>History</h2>
      {loaded.status === 'loading' && <Loading />}
      {loaded.status === 'failed' && <Problem message={messageOf(loaded.error)} onRetry={reload} />}
      {loaded.status === 'ready' && loaded.value.length === 0 && <p className="soft">It has not run yet.</p>}
      {loaded.status === 'ready' && loaded.value.length > 0 && (
        <ul className="card list">{loaded.value.map((run) => <RunItem key={run.id} run={run} />)}</ul>
      )}
      <LoadMore more={more} />
    </section>
  )
}

function RunItem({ run }: { run: AutomationRun }) {
  const outcome = run.summary ?? run.reason
  const { startedAt, endedAt } = run
  const tookMs = startedAt !== null && endedAt !== null ? Date.parse(endedAt) - Date.parse(startedAt) : undefined
  return (
    <li>
      <Link href={paths.chat(run.chatShortId)}>
        <span className="facts">
          <Status status={run.status} />
          <Time at={run.requestedAt} />
          <span className="soft small">
            {triggerWords[run.trigger]}
            {run.isLate && ', late'}
            {tookMs !== undefined && ` · took ${duration(tookMs)}`}
          </span>
        </span>
        {outcome !== null && <span className="description soft">{outcome}</span>}
      </Link>
    </li>
  )
}
