import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { BellOff, BellRing } from 'lucide-react'
import { type AlertChange, alertChangesOptions, type Automation, automationOptions, automationsKey, snoozeAlert } from '../../api/automations.ts'
import { messageOf } from '../../api/request.ts'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Pager } from '../../ui/pager.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { Time } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast.tsx'
import { AlertBadge } from './alert-badge.tsx'
import { severityLabels, statusColor, statusLabels } from './describe-alert.ts'

/** The state of an alert, a button to snooze it, and the history of its states. */
export function AlertCard({ automation }: { automation: Automation }) {
  const { id, alertState } = automation
  const changes = useInfiniteQuery(alertChangesOptions(id))
  return (
    <Card title="Alert">
      <div className="grid gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="flex flex-wrap items-center gap-2">
            <AlertBadge automation={automation} />
            {alertState ? alertState.finding : <span className="text-soft">Not checked yet. The state shows after the next result.</span>}
          </p>
          <Snooze automation={automation} />
        </div>
        <Loaded query={changes}>
          {(items) => (items.length === 0 ? <p className="text-soft">No changes yet.</p> : <Changes items={items} />)}
        </Loaded>
        <Pager query={changes} />
      </div>
    </Card>
  )
}

function Changes({ items }: { items: AlertChange[] }) {
  return (
    <ul className="divide-y divide-line" aria-label="Changes of the alert">
      {items.map((change) => (
        <li key={change.number} className="grid gap-x-4 gap-y-0.5 py-2 sm:grid-cols-[11rem_minmax(0,1fr)]">
          <span className="text-soft"><Time at={change.at} /></span>
          <span className="flex flex-wrap items-center gap-2 [overflow-wrap:anywhere]">
            <Badge color={statusColor(change.status, change.severity)}>
              {statusLabels[change.status]}{change.status === 'firing' && change.severity !== null && `: ${severityLabels[change.severity]}`}
            </Badge>
            {change.finding}
            {change.runId !== null && <TextLink href={paths.run(change.runId)}>View result</TextLink>}
            {change.announcedAt === null && <span className="text-soft">Not sent{change.quietBecause !== null && `: ${change.quietBecause}`}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}

const hourMs = 3600_000
const lengths = [
  ['1 hour', hourMs],
  ['8 hours', 8 * hourMs],
  ['1 day', 24 * hourMs],
  ['1 week', 7 * 24 * hourMs],
] as const

function Snooze({ automation }: { automation: Automation }) {
  const { id, snoozedUntil } = automation
  const client = useQueryClient()
  const toast = useToast()
  const snoozing = useMutation({
    mutationFn: (until: Date | null) => snoozeAlert(id, until),
    onSuccess: (changed) => {
      client.setQueryData(automationOptions(id).queryKey, changed)
      void client.invalidateQueries({ queryKey: automationsKey })
    },
    onError: (error) => toast.show({ message: messageOf(error), isProblem: true }),
  })
  if (snoozedUntil !== null && new Date(snoozedUntil) > new Date()) {
    return (
      <span className="flex flex-wrap items-center gap-2">
        <span className="text-soft">No messages until <Time at={snoozedUntil} /></span>
        <Button size="small" icon={<BellRing />} isBusy={snoozing.isPending} onClick={() => snoozing.mutate(null)}>End snooze</Button>
      </span>
    )
  }
  return (
    <Menu trigger={<Button size="small" icon={<BellOff />} isBusy={snoozing.isPending}>Snooze</Button>}>
      {lengths.map(([label, ms]) => (
        <MenuItem key={label} onSelect={() => snoozing.mutate(new Date(Date.now() + ms))}>{label}</MenuItem>
      ))}
    </Menu>
  )
}
