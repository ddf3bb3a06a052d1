import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../api/request.ts'
import { type Endpoint, enableEndpoint, sendHeld } from '../../api/webhook-endpoints.ts'
import { Button } from '../../ui/button.tsx'
import { Hint, Problem } from '../../ui/notice.tsx'
import { Time } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast.tsx'
import { pluralize, formatHeldCount } from './health-format.ts'
import { useRefreshEndpoint } from './use-refresh-endpoint.ts'

/** Problems with an endpoint that need attention, shown at the top of its page. */
export function EndpointNotices({ endpoint }: { endpoint: Endpoint }) {
  if (endpoint.state === 'disabled') return <DisabledNotice endpoint={endpoint} />
  return (
    <>
      {endpoint.consecutiveFailures > 0 && (
        <Hint kind="warning">
          {pluralize(endpoint.consecutiveFailures, 'event')} in a row failed every attempt. The endpoint is disabled after 5. A successful
          delivery resets the count.
        </Hint>
      )}
      {endpoint.heldCount > 0 && <HeldNotice endpoint={endpoint} />}
    </>
  )
}

function DisabledNotice({ endpoint: { id, disabledReason, disabledAt, heldCount } }: { endpoint: Endpoint }) {
  const toast = useToast()
  const refresh = useRefreshEndpoint(id)
  const enabling = useMutation({
    mutationFn: (isSending: boolean) => enableEndpoint(id, isSending),
    onSuccess(endpoint, isSending) {
      refresh(endpoint)
      toast.show({ message: isSending && heldCount > 0 ? 'Endpoint enabled. Sending held events.' : 'Endpoint enabled.' })
    },
  })
  const { isPending, variables } = enabling
  return (
    <section className="grid gap-3 rounded-lg bg-danger-wash p-4" aria-label="This endpoint is disabled">
      <div className="grid gap-1">
        <h2 className="font-semibold text-danger">This endpoint is disabled</h2>
        <p className="[overflow-wrap:anywhere]">{disabledReason}</p>
        <p className="text-soft">
          {disabledAt !== null && <>Since <Time at={disabledAt} />. </>}
          {heldCount > 0
            ? `${formatHeldCount(heldCount)} ${heldCount === 1 ? 'event is' : 'events are'} held, each for up to 30 days.`
            : 'New events are held for up to 30 days.'}{' '}
          You can still send a test event to see whether it works again.
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {heldCount > 0 && (
          <Button kind="primary" isBusy={isPending && variables} disabled={isPending} onClick={() => enabling.mutate(true)}>
            Enable and send held events ({formatHeldCount(heldCount)})
          </Button>
        )}
        <Button
          kind={heldCount > 0 ? 'plain' : 'primary'}
          isBusy={isPending && !variables}
          disabled={isPending}
          onClick={() => enabling.mutate(false)}
        >
          {heldCount > 0 ? 'Enable without sending' : 'Enable endpoint'}
        </Button>
      </div>
      {enabling.isError && <Problem message={messageOf(enabling.error)} />}
    </section>
  )
}

function HeldNotice({ endpoint: { id, heldCount } }: { endpoint: Endpoint }) {
  const toast = useToast()
  const refresh = useRefreshEndpoint(id)
  const sending = useMutation({
    mutationFn: () => sendHeld(id),
    onSuccess({ count }) {
      refresh()
      toast.show({ message: `Sending ${pluralize(count, 'event')}.` })
    },
  })
  return (
    <Hint>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="mr-auto">
          {heldCount === 1 ? '1 event' : `${formatHeldCount(heldCount)} events`} held while the endpoint was disabled{' '}
          {heldCount === 1 ? 'hasn’t' : 'haven’t'} been sent.
        </p>
        <Button size="small" isBusy={sending.isPending} onClick={() => sending.mutate()}>Send held events</Button>
      </div>
      {sending.isError && <Problem message={messageOf(sending.error)} />}
    </Hint>
  )
}
