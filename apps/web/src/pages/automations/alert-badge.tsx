import type { Automation } from '../../api/automations.ts'
import { Badge } from '../../ui/badge.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { statusColor, statusLabels } from './describe-alert.ts'

/** The state of an alert: “Firing since 2 hours ago”. Nothing for other automations. */
export function AlertBadge({ automation }: { automation: Pick<Automation, 'alertState' | 'snoozedUntil'> }) {
  const { alertState, snoozedUntil } = automation
  const isSnoozed = snoozedUntil !== null && new Date(snoozedUntil) > new Date()
  return (
    <>
      {alertState && (
        <Badge color={statusColor(alertState.status, alertState.severity)}>
          {statusLabels[alertState.status]}
          {alertState.status !== 'ok' && <> since <RelativeTime at={alertState.since} /></>}
        </Badge>
      )}
      {isSnoozed && <Badge>Snoozed</Badge>}
    </>
  )
}
