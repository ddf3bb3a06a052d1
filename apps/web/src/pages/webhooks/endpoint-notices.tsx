import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../api/request.ts'
import { type Endpoint, enableEndpoint, sendHeld } from '../../api/webhook-endpoints.ts'
import { Button } from '../../ui/button.tsx'
import { Hint, Problem } from '../../ui/notice.tsx'
import { Time } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast.tsx'
import { counted, heldWords } from './health-words.ts'
import { useRefresh } from './use-refresh.ts'

/** What somebody has to know or do about an endpoint, above everything else about it. */
export function EndpointNotices({ endpoint }: { endpoint: Endpoint }) {
  if (endpoint.state === 'disabled') return <DisabledNotice endpoint={endpoint} />
  return (
    <>
      {endpoint.consecutiveFailures > 0 && (
        <Hint kind="warning">
          {counted(endpoint.consecutiveFailures, 'event')} in a row failed all attempts. After 5 the endpoint is disabled; one delivery
          that arrives starts the count again.
        </Hint>
      )}
      {endpoint.heldCount > 0 && <HeldNotice endpoint={endpoint} />}
    </>
  )
}

function DisabledNotice({ endpoint: { id, disabledReason, disabledAt, heldCount } }: { endpoint: Endpoint }) {
  const toast = useToast()
  const refresh = useRefresh(id)
  const enabling = useMutation({
    mutationFn: (isSending: boolean) => enableEndpoint(id, isSending),
    onSuccess(endpoint, isSending) {
      refresh(endpoint)
      toast.show({ message: isSending && heldCount > 0 ? 'Enabled. What was held is on its way.' : 'Enabled.' })
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
            ? `${heldWords(heldCount)} ${heldCount === 1 ? 'event is' : 'events are'} held for it; each is kept for 30 days.`
            : 'Events from now on are held for it for 30 days.'}{' '}
          A test event reaches it all the same, so you can see whether it is mended.
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {heldCount > 0 && (
          <Button kind="primary" isBusy={isPending && variables} disabled={isPending} onClick={() => enabling.mutate(true)}>
            Enable and send what was held ({heldWords(heldCount)})
          </Button>
        )}
        <Button
          kind={heldCount > 0 ? 'plain' : 'primary'}
          isBusy={isPending && !variables}
          disabled={isPending}
          onClick={() => enabling.mutate(false)}
        >
          {heldCount > 0 ? 'Enable only' : 'Enable'}
        </Button>
      </div>
      {enabling.isError && <Problem message={messageOf(enabling.error)} />}
    </section>
  )
}

function HeldNotice({ endpoint: { id, heldCount } }: { endpoint: Endpoint }) {
  const toast = useToast()
  const refresh = useRefresh(id)
  const sending = useMutation({
    mutationFn: () => sendHeld(id),
    onSuccess({ count }) {
      refresh()
      toast.show({ message: `${counted(count, 'event')} on the way.` })
    },
  })
  return (
    <Hint>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="mr-auto">
          {heldCount === 1 ? 'One event was' : `${heldWords(heldCount)} events were`} held while the endpoint was disabled, and not
          sent since.
        </p>
        <Button size="small" isBusy={sending.isPending} onClick={() => sending.mutate()}>Send what was held</Button>
      </div>
      {sending.isError && <Problem message={messageOf(sending.error)} />}
    </Hint>
  )
}
