import { inOrder, weekdays, weekFromMonday } from './schedule-draft.ts'

const dayLook =
  'relative rounded-md border border-line-strong bg-surface px-2.5 py-1 select-none hover:bg-raised has-checked:border-accent ' +
  'has-checked:bg-accent-wash has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 ' +
  'has-focus-visible:outline-focus'

/** One or more days of the week. The last chosen day can't be removed, because the schedule would never run. */
export function DayChoice({ days, onChange }: { days: number[]; onChange(days: number[]): void }) {
  const toggle = (day: number) => {
    const next = days.includes(day) ? days.filter((other) => other !== day) : inOrder([...days, day])
    if (next.length > 0) onChange(next)
  }
  return (
    <fieldset className="grid gap-1">
      <legend className="text-xs font-medium">On</legend>
      <div className="mt-1 flex flex-wrap gap-1.5">
        {weekFromMonday.map((day) => (
          <label key={day} className={dayLook}>
            <input
              type="checkbox"
              className="absolute inset-0 cursor-pointer opacity-0"
              checked={days.includes(day)}
              onChange={() => toggle(day)}
              aria-label={weekdays[day]}
            />
            <span aria-hidden="true">{weekdays[day]!.slice(0, 3)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
