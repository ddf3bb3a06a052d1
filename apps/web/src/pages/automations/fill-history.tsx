import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type Backtest, backtestKey, startHistoryFill, stopHistoryFill } from '../../api/automations.ts'
import { messageOf } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/inputs.tsx'
import { Hint } from '../../ui/notice.tsx'

const dayChoices = [7, 30, 90]

/** Offers to run the query with past dates, so that there is more to replay, and shows how far that is. */
export function FillHistory({ reference, backtest }: { reference: string; backtest: Backtest }) {
  const { fill, dateParameters } = backtest
  if (fill?.state === 'due') return <Progress reference={reference} fill={fill} />
  const [parameter] = dateParameters
  if (parameter === undefined) return null
  return (
    <>
      {fill && <Outcome fill={fill} />}
      <Offer reference={reference} parameter={parameter} />
    </>
  )
}

type Fill = NonNullable<Backtest['fill']>

function Offer({ reference, parameter }: { reference: string; parameter: string }) {
  const [days, setDays] = useState(30)
  const id = useId()
  const client = useQueryClient()
  const starting = useMutation({
    mutationFn: () => startHistoryFill(reference, { parameter, days }),
    onSuccess: () => client.invalidateQueries({ queryKey: backtestKey }),
  })
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <label htmlFor={id}>Run the query for past dates of “{parameter}”:</label>
        <span className="w-44">
          <Select id={id} value={String(days)} onChange={(event) => setDays(Number(event.target.value))}>
            {dayChoices.map((count) => <option key={count} value={count}>the last {count} days</option>)}
          </Select>
        </span>
        <Button size="small" isBusy={starting.isPending} onClick={() => starting.mutate()}>Fill in history</Button>
      </div>
      {starting.error && <Hint kind="warning">{messageOf(starting.error)}</Hint>}
    </div>
  )
}

function Progress({ reference, fill }: { reference: string; fill: Fill }) {
  const client = useQueryClient()
  const stopping = useMutation({
    mutationFn: () => stopHistoryFill(reference),
    onSuccess: () => client.invalidateQueries({ queryKey: backtestKey }),
  })
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <progress className="w-40" max={fill.dayCount} value={fill.doneCount} aria-label="Days filled in" />
      <span aria-live="polite">{fill.doneCount} of {fill.dayCount} days filled in</span>
      <Button size="small" isBusy={stopping.isPending} onClick={() => stopping.mutate()}>Stop filling</Button>
    </div>
  )
}

function Outcome({ fill: { state, doneCount, failedCount, reason } }: { fill: Fill }) {
  if (state === 'failed') return <Hint kind="warning">Couldn’t fill in the history. {reason}</Hint>
  const filled = doneCount - failedCount
  return (
    <p className="text-sm text-soft">
      {filled === 1 ? '1 day was' : `${filled} days were`} filled in{state === 'stopped' && ' before it was stopped'}.
      {failedCount > 0 && ` The query failed for ${failedCount}: ${reason}`}
    </p>
  )
}
