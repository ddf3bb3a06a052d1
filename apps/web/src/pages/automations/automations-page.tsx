import { useInfiniteQuery } from '@tanstack/react-query'
import { Plus, Zap } from 'lucide-react'
import { type Automation, automationsOptions } from '../../api/automations.ts'
import { Link, navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Status } from '../../ui/status.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useHotkey } from '../../ui/use-hotkey.ts'
import { useTitle } from '../../ui/use-title.ts'
import { AlertBadge } from './alert-badge.tsx'
import { describeTrigger } from './labels.ts'

/** `/automations` */
export function AutomationsPage() {
  useTitle('Automations')
  const query = useInfiniteQuery(automationsOptions)
  useHotkey('n', () => navigate(paths.newAutomation))
  return (
    <>
      <PageHead
        title="Automations"
        description="Scheduled reports on what changed in your data"
        actions={<ButtonLink kind="primary" icon={<Plus />} href={paths.newAutomation}>New automation</ButtonLink>}
      />
      <Loaded query={query}>{(items) => (items.length === 0 ? <NoAutomations /> : <Automations items={items} />)}</Loaded>
      <Pager query={query} />
    </>
  )
}

function Automations({ items }: { items: Automation[] }) {
  return (
    <Card>
      <ul className="divide-y divide-line">
        {items.map((automation) => <AutomationItem key={automation.id} automation={automation} />)}
      </ul>
    </Card>
  )
}

function AutomationItem({ automation }: { automation: Automation }) {
  const { id, name, enabled, nextDueAt, latestRun, references } = automation
  const count = references.length
  return (
    <li>
      <Link
        href={paths.automation(id)}
        className="grid gap-x-6 gap-y-1 px-4 py-3 text-ink no-underline hover:bg-raised md:items-center md:grid-cols-[minmax(0,1fr)_9rem_13rem]"
      >
        <span className="grid min-w-0 gap-0.5">
          <span className="flex flex-wrap items-center gap-2 font-medium [overflow-wrap:anywhere]">
            {name} <AlertBadge automation={automation} /> {!enabled && <Badge color="warning">Paused</Badge>}
          </span>
          <span className="text-soft [overflow-wrap:anywhere]">
            {describeTrigger(automation)} · {count === 0 ? 'no queries' : `${count} ${count === 1 ? 'query' : 'queries'}`}
          </span>
        </span>
        <span className="text-soft md:text-right">{nextDueAt !== null && <>Next <RelativeTime at={nextDueAt} /></>}</span>
        <span className="flex flex-wrap items-center gap-x-2 md:justify-end">
          {latestRun ? (
            <>
              <Status status={latestRun.status} isStopped={latestRun.isStopped} />
              <span className="text-soft"><RelativeTime at={latestRun.endedAt ?? latestRun.requestedAt} /></span>
            </>
          ) : (
            <span className="text-soft">No runs yet</span>
          )}
        </span>
      </Link>
    </li>
  )
}

function NoAutomations() {
  return (
    <EmptyState
      title="No automations yet"
      icon={<Zap />}
      action={<ButtonLink kind="primary" href={paths.newAutomation}>Create automation</ButtonLink>}
    >
      <p>
        An automation checks your queries on a schedule, or when a result changes, and writes a report of what it found. Your
        webhook endpoints get an event for every run.
      </p>
    </EmptyState>
  )
}
