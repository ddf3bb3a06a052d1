import type { BrokenEngine } from './broken-engine.ts'

export const brokenAlerts: readonly BrokenEngine[] = [
  {
    // A crash between the two, and nobody learns of the change.
    name: 'alert announced after its change',
    noticedBy: ['alerts'],
    workRules: { isAlertAnnouncedWithItsChange: false },
  },
  {
    // Two workers evaluate the same result, and both announce it.
    name: 'alert not locked',
    noticedBy: ['alerts'],
    workRules: { isAlertLocked: false },
  },
  {
    // A crash while it is read, and the result is lost.
    name: 'alert result taken when read',
    noticedBy: ['alerts'],
    workRules: { isAlertResultTakenWhenRead: true },
  },
  {
    // A message that waits is sent only with the next result.
    name: 'alert snooze never ends by itself',
    noticedBy: ['alerts'],
    workRules: { areQuietTimesEnded: false },
  },
  { name: 'alert not notified of failures', noticedBy: ['alerts'], workRules: { areAlertsNotifiedOfFailures: false } },
  {
    name: 'alert snoozed by machine clock',
    noticedBy: ['alerts'],
    workRules: { nowOf: (work, kind) => (kind === 'alerts' ? work.callerNow : work.now) },
  },
]
