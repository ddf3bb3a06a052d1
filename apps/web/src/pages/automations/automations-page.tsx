import { isAtWork } from '../../api/automation-runs.ts'
import { type Automation, listAutomations } from '../../api/automations.ts'
import { messageOf } from '../../api/request.ts'
import { usePages } from '../../api/use-pages.ts'
import { Link, navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Loading, Problem } from '../../ui/notice.tsx'
import { Status } from '../../ui/status.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { usePolling } from '../../ui/use-polling.ts'
import { useTitle } from '../../ui/use-title.ts'
import { whenWords } from './words.ts'

const lookEveryMs = 3_000

/** `/automations` */
export function AutomationsPage() {
  useTitle('Automations')
  const { loaded, more, reload } = usePages('automations', listAutomations, (automation) => automation.id)
  const isUnderWay = loaded.status === 'ready' && loaded.value.some(({ latestRun }) => latestRun && isAtWork(latestRun))
  usePolling({ isWanted: isUnderWay, everyMs: lookEveryMs, look: reload })
  return (
    <>
      <header className="page-head">
        <div className="title-row">
          <h1>Automations</h1>
          <Button kind="primary" onClick={() => navigate(paths.newAutomation)}>New automation</Button>
        </div>
        <p className="soft">Agents that look at your queries, and say what there is to say</p>
      </header>
      {loaded.status === 'loading' && <Loading />}
      {loaded.status === 'failed' && <Problem message={messageOf(loaded.error)} onRetry={reload} />}
      {loaded.status === 'ready' && <Automations items={loaded.value} />}
      <LoadMore more={more} />
    </>
  )
}

function Automations({ items }: { items: Automation[] }) {
  if (items.length === 0) {
    return (
      <section className="empty">
        <h2>No automations yet</h2>
        <p>
          An automation has an agent look at queries: every Monday morning, say, or when stock runs low. It writes what it found
          into a chat, and tells your webhook endpoints.
        </p>
        <p><Link href={paths.newAutomation}>Make the first one</Link></p>
      </section>
    )
  }
  return (
    <ul className="card list">
      {items.map((automation) => (
        <li key={automation.id}>
          <Link href={paths.automation(automation.id)}>
            <span className="title">{automation.name}{!automation.enabled && <Tag word="Paused" />}</span>
            <span>{whenWords(automation)}</span>
            <span className="facts soft small">
              {automation.nextDueAt !== null && <span>Next <Time at={automation.nextDueAt} /></span>}
              {automation.latestRun ? (
                <span>
                  <Status status={automation.latestRun.status} />{' '}
                  <Time at={automation.latestRun.endedAt ?? automation.latestRun.requestedAt} />
                </span>
              ) : (
                <span>Has not run yet</span>
              )}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
