import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CalendarClock } from 'lucide-react'
import { type Schedule, schedulePreviewOptions } from '../../api/automations.ts'
import { faultAt, hasCode, messageOf } from '../../api/request.ts'
import { useDebounced } from '../../ui/use-debounced.ts'
import { clockChangeNotes } from './clock-changes.ts'

const settleMs = 250

/** The next five times, computed by the service so that the preview matches what it will do. */
export function NextTimes({ schedule }: { schedule: Schedule }) {
  const settled = JSON.parse(useDebounced(JSON.stringify(schedule), settleMs)) as Schedule
  const query = useQuery({ ...schedulePreviewOptions(settled), placeholderData: keepPreviousData })
  const times = query.isError ? undefined : query.data
  return (
    <section aria-label="Next times" aria-live="polite" className="grid content-start gap-1.5 text-xs">
      <h3 className="flex items-center gap-1.5 text-xs font-medium">
        <CalendarClock className="size-4 text-soft" aria-hidden="true" />
        Next times
      </h3>
      {query.isError && <p className="text-danger">{errorMessage(query.error)}</p>}
      {query.isPending && <p className="text-soft">Loading…</p>}
      {times && (
        <>
          <ol className={`grid gap-0.5 tabular-nums ${query.isPlaceholderData ? 'opacity-60' : ''}`}>
            {times.map((time) => (
              <li key={time}><time dateTime={time}>{inZone(time, settled.timeZone)}</time></li>
            ))}
          </ol>
          {clockChangeNotes(times, settled.timeZone).map((remark) => <p key={remark} className="text-soft">{remark}</p>)}
        </>
      )}
    </section>
  )
}

function errorMessage(error: unknown): string {
  const isAboutFields = hasCode(error, 'invalid_request')
  return (isAboutFields ? (faultAt(error, '/cron') ?? faultAt(error, '/timeZone')) : undefined) ?? messageOf(error)
}

function inZone(time: string, timeZone: string): string {
  const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const
  const parts = { ...day, hour: '2-digit', minute: '2-digit' } as const
  try {
    return new Intl.DateTimeFormat(undefined, { ...parts, timeZone }).format(new Date(time))
  } catch {
    // An unknown or half-typed time zone.
    return new Intl.DateTimeFormat(undefined, parts).format(new Date(time))
  }
}
