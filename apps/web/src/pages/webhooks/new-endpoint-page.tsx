import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { faultAt, messageOf } from '../../api/request.ts'
import { createEndpoint, endpointOptions } from '../../api/webhook-endpoints.ts'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Problem } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { toEndpointContent, type EndpointDraft, EndpointFields } from './endpoint-fields.tsx'
import { defaultEventTypes } from './event-groups.ts'
import { WebhooksGate } from './webhooks-gate.tsx'

export function NewEndpointPage() {
  useTitle('New webhook endpoint')
  return (
    <WebhooksGate>
      <NewEndpoint />
    </WebhooksGate>
  )
}

function NewEndpoint() {
  const client = useQueryClient()
  const [draft, setDraft] = useState<EndpointDraft>({ url: '', description: '', eventTypes: defaultEventTypes, isOrdered: false })
  const creating = useMutation({
    mutationFn: createEndpoint,
    async onSuccess({ secret: _, ...endpoint }) {
      client.setQueryData(endpointOptions(endpoint.id).queryKey, endpoint)
      void client.invalidateQueries({ queryKey: ['webhook-endpoints', 'list'] })
      navigate(`${paths.webhookEndpoint(endpoint.id)}?tab=setup&created=yes`, { replace: true })
    },
  })
  const change = (changed: EndpointDraft) => {
    setDraft(changed)
    creating.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    creating.mutate(toEndpointContent(draft))
  }
  const isShownAtField = faultAt(creating.error, '/url') ?? faultAt(creating.error, '/description')
  return (
    <div className="max-w-2xl">
      <PageHead
        above={<TextLink href={paths.webhooks}>Webhooks</TextLink>}
        title="Add endpoint"
        description="Next, you’ll get its signing secret, code to verify requests, and a test event."
      />
      <form onSubmit={submit} className="grid gap-6">
        <EndpointFields draft={draft} error={creating.error} onChange={change} />
        {creating.isError && isShownAtField === undefined && <Problem message={messageOf(creating.error)} />}
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" type="submit" isBusy={creating.isPending} disabled={draft.eventTypes.length === 0}>
            Add endpoint
          </Button>
          <ButtonLink href={paths.webhooks}>Cancel</ButtonLink>
        </div>
      </form>
    </div>
  )
}
