import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { countReplay, replay, type ReplayChoice } from '../../api/deliveries.ts'
import { hasCode, messageOf } from '../../api/request.ts'
import { type Endpoint, eventTypes } from '../../api/webhook-endpoints.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Choice, Select } from '../../ui/inputs.tsx'
import { Problem } from '../../ui/notice.tsx'
import { useToast } from '../../ui/toast.tsx'
import { aboutEventTypes } from '../../api/generated/event-types.ts'
import { counted } from './health-words.ts'
import { beginningOf, periods } from './log-filter.ts'
import { useRefresh } from './use-refresh.ts'

const states = [
  { state: 'exhausted', label: 'Failed', hint: 'All attempts were used up.' },
  { state: 'delivered', label: 'Delivered', hint: 'It arrived, and arrives once more with the same event id.' },
] as const

const bounded = periods.filter(({ hours }) => hours !== null)

const toggled = <Value,>(values: readonly Value[], value: Value) =>
  values.includes(value) ? values.filter((each) => each !== value) : [...values, value]

/** Sends many events again: chosen first, then counted, then confirmed. */
export function ReplayDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose(): void }) {
  const toast = useToast()
  const refresh = useRefresh(endpoint.id)
  const [chosenStates, setChosenStates] = useState<Required<ReplayChoice>['states']>(['exhausted'])
  const [chosenTypes, setChosenTypes] = useState<Required<ReplayChoice>['eventTypes']>([...eventTypes])
  const [period, setPeriod] = useState('month')
  // The moment stays what it was when the period was chosen, so that what is counted is what is sent.
  const from = useMemo(() => beginningOf(period, Date.now()), [period])
  const choice: ReplayChoice = { states: chosenStates, eventTypes: chosenTypes, ...(from !== undefined && { from }) }
  const isComplete = chosenStates.length > 0 && chosenTypes.length > 0
  const counting = useQuery({
    queryKey: ['deliveries', 'replay-count', endpoint.id, choice],
    queryFn: () => countReplay(endpoint.id, choice),
    enabled: isComplete,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const count = isComplete && !counting.isFetching ? counting.data?.count : undefined
  const replaying = useMutation({
    mutationFn: (seen: number) => replay(endpoint.id, { ...choice, count: seen }),
    onSuccess(answer) {
      refresh()
      toast.show({ message: `${counted(answer.count, 'event')} on the way again.` })
      onClose()
    },
    onError(error) {
      if (hasCode(error, 'count_changed')) void counting.refetch()
    },
  })
  return (
    <Dialog
      title="Send events again"
      description="Each goes out once more, as a new delivery. Tests are left out, and so is what is on its way already."
      isOpen
      onOpenChange={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            isBusy={replaying.isPending}
            disabled={count === undefined || count === 0}
            onClick={() => replaying.mutate(count!)}
          >
            {count === undefined || count === 0 ? 'Send again' : `Send ${counted(count, 'event')} again`}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <fieldset className="grid gap-2">
          <legend className="mb-1 text-xs font-medium">Which deliveries</legend>
          {states.map(({ state, label, hint }) => (
            <Choice
              key={state}
              label={label}
              hint={hint}
              checked={chosenStates.includes(state)}
              onChange={() => setChosenStates(toggled(chosenStates, state))}
            />
          ))}
        </fieldset>
        <fieldset className="grid gap-2">
          <legend className="mb-1 text-xs font-medium">Which events</legend>
          {eventTypes.map((type) => (
            <Choice
              key={type}
              label={aboutEventTypes[type].label}
              checked={chosenTypes.includes(type)}
              onChange={() => setChosenTypes(toggled(chosenTypes, type))}
            />
          ))}
        </fieldset>
        <Field label="From when" hint="Events can be sent again for 28 days.">
          <Select value={period} onChange={(event) => setPeriod(event.target.value)}>
            {bounded.map(({ name, label }) => (
              <option key={name} value={name}>{label}</option>
            ))}
          </Select>
        </Field>
        <p className="font-medium" role="status">{countInWords()}</p>
        {counting.isError && <Problem message={messageOf(counting.error)} />}
        {replaying.isError && <Problem message={messageOf(replaying.error)} />}
      </div>
    </Dialog>
  )

  function countInWords(): string {
    if (!isComplete) return 'Choose at least one of each.'
    if (counting.isError) return ''
    if (count === undefined) return 'Counting …'
    if (count === 0) return 'No event matches.'
    return `${counted(count, 'event')} will be sent again.`
  }
}
