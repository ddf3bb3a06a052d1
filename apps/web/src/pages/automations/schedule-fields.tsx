import { faultAt, hasCode, messageOf } from '../../api/request.ts'
import { previewSchedule, type Schedule } from '../../api/automations.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { Field } from '../../ui/field.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import { type ScheduleDraft, scheduleOf, weekdays } from './schedule-draft.ts'

/** When it comes by itself: a simple choice or cron, the time zone, and what that means. */
export function ScheduleFields(props: {
  draft: ScheduleDraft
  error: unknown
  onChange(changes: Partial<ScheduleDraft>): void
}) {
  const { draft, error, onChange } = props
  const { every } = draft
  const choose = (next: ScheduleDraft['every']) =>
    // Who goes over to cron begins with what the simple choice meant.
    onChange({ every: next, ...(next === 'cron' && { cron: scheduleOf(draft).cron }) })
  return (
    <div className="schedule">
      <Field label="Every">
        <select value={every} onChange={(event) => choose(event.target.value as ScheduleDraft['every'])}>
          <option value="hour">hour</option>
          <option value="day">day</option>
          <option value="week">week</option>
          <option value="cron">time of a cron expression</option>
        </select>
      </Field>
      {every === 'week' && (
        <Field label="On">
          <select value={draft.weekday} onChange={(event) => onChange({ weekday: Number(event.target.value) })}>
            {[1, 2, 3, 4, 5, 6, 0].map((day) => <option key={day} value={day}>{weekdays[day]}</option>)}
          </select>
        </Field>
      )}
      {(every === 'day' || every === 'week') && (
        <Field label="At">
          <input type="time" value={draft.time} onChange={(event) => onChange({ time: event.target.value || '00:00' })} />
        </Field>
      )}
      {every === 'cron' && (
        <Field
          label="Cron expression"
          hint={{ id: 'cron-hint', text: 'Minute, hour, day of the month, month, day of the week.' }}
          fault={faultAt(error, '/schedule/cron')}
        >
          <input
            value={draft.cron}
            onChange={(event) => onChange({ cron: event.target.value })}
            aria-describedby="cron-hint"
            spellCheck={false}
          />
        </Field>
      )}
      <Field label="Time zone" fault={faultAt(error, '/schedule/timeZone')}>
        <input
          list="time-zones"
          value={draft.timeZone}
          onChange={(event) => onChange({ timeZone: event.target.value })}
          spellCheck={false}
        />
      </Field>
      <datalist id="time-zones">{timeZones.map((zone) => <option key={zone} value={zone} />)}</datalist>
      <NextTimes schedule={scheduleOf(draft)} />
    </div>
  )
}

const timeZones = ['UTC', ...Intl.supportedValuesOf('timeZone')]
const settleMs = 250

/** The service says when that would be: it alone knows what its schedules mean. */
function NextTimes({ schedule }: { schedule: Schedule }) {
  const settled = useSettled(JSON.stringify(schedule), settleMs)
  const { loaded } = useLoaded(settled, (signal) => previewSchedule(JSON.parse(settled) as Schedule, signal))
  return (
    <div className="next-times small" aria-live="polite">
      <span className="label">Next times</span>
      {loaded.status === 'loading' && <span className="soft">…</span>}
      {loaded.status === 'failed' && <span className="fault">{wordsOf(loaded.error)}</span>}
      {loaded.status === 'ready' && (
        <ol>
          {loaded.value.map((time) => (
            <li key={time}>
              <time dateTime={time}>{inZone(time, schedule.timeZone)}</time>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

function wordsOf(error: unknown): string {
  const isAboutFields = hasCode(error, 'invalid_request')
  return (isAboutFields ? (faultAt(error, '/cron') ?? faultAt(error, '/timeZone')) : undefined) ?? messageOf(error)
}

function inZone(time: string, timeZone: string): string {
  const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const
  const parts = { ...day, hour: '2-digit', minute: '2-digit' } as const
  try {
    return new Intl.DateTimeFormat(undefined, { ...parts, timeZone }).format(new Date(time))
  } catch {
    // A zone that the browser does not know, or one that is being typed.
    return new Intl.DateTimeFormat(undefined, parts).format(new Date(time))
  }
}
