import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Backtest, backtestOptions, type Condition } from '../../api/automations.ts'
import { messageOf } from '../../api/request.ts'
import { Hint } from '../../ui/notice.tsx'
import { Time } from '../../ui/time.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { FillHistory } from './fill-history.tsx'
import { BacktestTimeline } from './backtest-timeline.tsx'

const debounceMs = 300

/** What the condition would have done over the kept results, and for comparison the saved version of it. */
export function BacktestPanel({ edited, saved }: { edited: Condition; saved: Condition | null }) {
  const isSame = saved !== null && JSON.stringify(saved) === JSON.stringify(edited)
  if (edited.reference === '') return <p className="text-soft">Choose a query to see how often it would have fired.</p>
  return (
    <section className="grid gap-3 border-t border-line pt-3" aria-label="Backtest">
      <h3 className="font-medium">Over past results</h3>
      <div className={saved && !isSame ? 'grid gap-4 md:grid-cols-2' : 'grid gap-4'}>
        {saved && !isSame && <Version title="Saved" condition={saved} />}
        <Version title={saved ? (isSame ? 'Saved' : 'Edited') : undefined} condition={edited} canFill />
      </div>
    </section>
  )
}

function Version({ title, condition, canFill = false }: { title: string | undefined; condition: Condition; canFill?: boolean }) {
  // As text, so that an equal condition is not a new value.
  const text = useDebounced(JSON.stringify(condition), debounceMs)
  const { data, error } = useQuery({ ...backtestOptions(JSON.parse(text) as Condition), placeholderData: keepPreviousData })
  return (
    <div className="grid content-start gap-2">
      {title !== undefined && <h4 className="text-xs font-medium text-soft">{title}</h4>}
      {error ? <Hint kind="warning">{messageOf(error)}</Hint> : data ? <Found backtest={data} /> : <p className="text-soft">Reading past results…</p>}
      {canFill && data && <FillHistory reference={condition.reference} backtest={data} />}
    </div>
  )
}

const shownFirings = 10

function Found({ backtest }: { backtest: Backtest }) {
  const { resultCount, remaining, storingCount, firings, silentDays, from } = backtest
  if (resultCount === 0 && remaining === 0) {
    return <p className="text-soft">The query has no kept results yet. They are kept from now on, each time it runs.</p>
  }
  const times = firings.length === 0 ? 'not have fired' : `have fired ${firings.length === 1 ? 'once' : `${firings.length} times`}`
  return (
    <>
      <p>
        It would {times} over {resultCount} {resultCount === 1 ? 'result' : 'results'}
        {from !== null && <> since <Time at={from} /></>}, and been silent on {silentDays} {silentDays === 1 ? 'day' : 'days'}.
        {remaining > 0 && <span className="text-soft"> Reading {remaining} more results…</span>}
        {storingCount > 0 && <span className="text-soft"> Storing {storingCount} more…</span>}
      </p>
      <BacktestTimeline backtest={backtest} />
      {firings.length > 0 && (
        <ul className="grid gap-1 text-sm" aria-label="Firings">
          {firings.slice(-shownFirings).toReversed().map((firing) => (
            <li key={firing.from} className="[overflow-wrap:anywhere]"><Time at={firing.from} />: <span className="text-soft">{firing.finding}</span></li>
          ))}
        </ul>
      )}
    </>
  )
}
