import { faultAt } from '../../api/request.ts'
import { Field } from '../../ui/field.tsx'
import { Select, TextInput } from '../../ui/inputs.tsx'
import { DayChoice } from './day-choice.tsx'
import { NextTimes } from './next-times.tsx'
import { type ScheduleDraft, scheduleOf } from './schedule-draft.ts'
import { ordinal } from './describe-schedule.ts'
import { timeZones } from './time-zone.ts'

const choices: [ScheduleDraft['every'], string][] = [
  ['hour', 'hour'],
  ['day', 'day'],
  ['weekdays', 'weekday, Monday to Friday'],
  ['week', 'week'],
  ['month', 'month'],
  ['cron', 'custom (cron expression)'],
]

/** Edits a schedule: a simple choice or cron, the time zone, and a preview of the next times. */
export function ScheduleFields(props: {
  draft: ScheduleDraft
  error: unknown
  onChange(changes: Partial<ScheduleDraft>): void
}) {
  const { draft, error, onChange } = props
  const choose = (every: ScheduleDraft['every']) =>
    // Start the cron expression with the equivalent of the simple choice.
    onChange({ every, ...(every === 'cron' && { cron: scheduleOf(draft).cron }) })
  return (
    <div className="grid gap-x-6 gap-y-4 rounded-lg border border-line bg-paper p-4 lg:grid-cols-[minmax(0,1fr)_14rem]">
      <div className="grid content-start gap-4">
        <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_9rem]">
          <Field label="Every">
            <Select value={draft.every} onChange={(event) => choose(event.target.value as ScheduleDraft['every'])}>
              {choices.map(([value, label]) => <option key={value} value={value}>{label}</option>)}
            </Select>
          </Field>
          <WhenWithin draft={draft} onChange={onChange} />
        </div>
        {draft.every === 'week' && <DayChoice days={draft.days} onChange={(days) => onChange({ days })} />}
        {draft.every === 'month' && <DateChoice draft={draft} onChange={onChange} />}
        {draft.every === 'cron' && (
          <Field
            label="Cron expression"
            hint="Minute, hour, day of the month, month, day of the week."
            fault={faultAt(error, '/schedule/cron')}
          >
            <TextInput
              className="font-mono"
              value={draft.cron}
              onChange={(event) => onChange({ cron: event.target.value })}
              spellCheck={false}
              autoComplete="off"
            />
          </Field>
        )}
        {draft.every !== 'cron' && faultAt(error, '/schedule/cron') !== undefined && (
          <p role="alert" className="text-xs text-danger">{faultAt(error, '/schedule/cron')}</p>
        )}
        <Field label="Time zone" fault={faultAt(error, '/schedule/timeZone')}>
          <TextInput
            list="time-zones"
            value={draft.timeZone}
            onChange={(event) => onChange({ timeZone: event.target.value })}
            spellCheck={false}
            autoComplete="off"
          />
        </Field>
        <datalist id="time-zones">{timeZones.map((zone) => <option key={zone} value={zone} />)}</datalist>
      </div>
      <NextTimes schedule={scheduleOf(draft)} />
    </div>
  )
}

/** The minute of the hour, or the time of day. */
function WhenWithin({ draft, onChange }: { draft: ScheduleDraft; onChange(changes: Partial<ScheduleDraft>): void }) {
  if (draft.every === 'cron') return null
  if (draft.every === 'hour') {
    return (
      <Field label="Minutes past">
        <Select value={draft.minute} onChange={(event) => onChange({ minute: Number(event.target.value) })}>
          {Array.from({ length: 60 }, (_, minute) => <option key={minute}>{minute}</option>)}
        </Select>
      </Field>
    )
  }
  return (
    <Field label="At">
      <TextInput type="time" value={draft.time} onChange={(event) => onChange({ time: event.target.value || '00:00' })} />
    </Field>
  )
}

function DateChoice({ draft, onChange }: { draft: ScheduleDraft; onChange(changes: Partial<ScheduleDraft>): void }) {
  const { dayOfMonth } = draft
  const isRare = typeof dayOfMonth === 'number' && dayOfMonth > 28
  const hint = isRare && `Months without a ${ordinal(dayOfMonth)} are skipped. Choose “last day” to run every month.`
  return (
    <Field label="On the" {...(hint && { hint })}>
      <Select
        value={dayOfMonth}
        onChange={(event) => onChange({ dayOfMonth: event.target.value === 'last' ? 'last' : Number(event.target.value) })}
      >
        {Array.from({ length: 31 }, (_, at) => <option key={at} value={at + 1}>{ordinal(at + 1)}</option>)}
        <option value="last">last day</option>
      </Select>
    </Field>
  )
}
