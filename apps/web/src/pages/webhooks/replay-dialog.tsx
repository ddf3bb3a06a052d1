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
import { pluralize } from './health-format.ts'
import { startOfPeriod, periods } from './log-filter.ts'
import { useRefreshEndpoint } from './use-refresh-endpoint.ts'

const states = [
  { state: 'exhausted', label: 'Failed', hint: 'Every attempt failed.' },
  { state: 'delivered', label: 'Delivered', hint: 'Sent once more, with the same event ID.' },
] as const

const bounded = periods.filter(({ hours }) => hours !== null)

const toggled = <Value,>(values: readonly Value[], value: Value) =>
  values.includes(value) ? values.filter((each) => each !== value) : [...values, value]

/** Resends many events: choose, see the count, confirm. */
export function ReplayDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose(): void }) {
  const toast = useToast()
  const refresh = useRefreshEndpoint(endpoint.id)
  const [chosenStates, setChosenStates] = useState<Required<ReplayChoice>['states']>(['exhausted'])
  const [chosenTypes, setChosenTypes] = useState<Required<ReplayChoice>['eventTypes']>([...eventTypes])
  const [period, setPeriod] = useState('month')
  // Fixed when the period is chosen, so that the events pluralize are the events sent.
  const from = useMemo(() => startOfPeriod(period, Date.now()), [period])
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
      toast.show({ message: `Resending ${pluralize(answer.count, 'event')}.` })
      onClose()
    },
    onError(error) {
      if (hasCode(error, 'count_changed')) void counting.refetch()
    },
  })
  return (
    <Dialog
      title="Resend events"
      description="Each event is sent again as a new delivery. Tests and pending deliveries are excluded."
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
            {count === undefined || count === 0 ? 'Resend events' : `Resend ${pluralize(count, 'event')}`}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <fieldset className="grid gap-2">
          <legend className="mb-1 text-xs font-medium">Deliveries</legend>
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
          <legend className="mb-1 text-xs font-medium">Events</legend>
          {eventTypes.map((type) => (
            <Choice
              key={type}
              label={aboutEventTypes[type].label}
              checked={chosenTypes.includes(type)}
              onChange={() => setChosenTypes(toggled(chosenTypes, type))}
            />
          ))}
        </fieldset>
        <Field label="Period" hint="Events can be resent for 28 days.">
          <Select value={period} onChange={(event) => setPeriod(event.target.value)}>
            {bounded.map(({ name, label }) => (
              <option key={name} value={name}>{label}</option>
            ))}
          </Select>
        </Field>
        <p className="font-medium" role="status">{countMessage()}</p>
        {counting.isError && <Problem message={messageOf(counting.error)} />}
        {replaying.isError && <Problem message={messageOf(replaying.error)} />}
      </div>
    </Dialog>
  )

  function countMessage(): string {
    if (!isComplete) return 'Choose at least one kind of delivery and one event.'
    if (counting.isError) return ''
    if (count === undefined) return 'Counting…'
    if (count === 0) return 'No events match.'
    return `${pluralize(count, 'event')} will be resent.`
  }
}
