import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { faultAt, messageOf } from '../../api/request.ts'
import { editEndpoint, type Endpoint } from '../../api/webhook-endpoints.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/notice.tsx'
import { Time } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast.tsx'
import { toEndpointContent, type EndpointDraft, EndpointFields } from './endpoint-fields.tsx'
import { useRefreshEndpoint } from './use-refresh-endpoint.ts'

const draftOf = ({ url, description, eventTypes, isOrdered }: Endpoint): EndpointDraft => ({
  url,
  description: description ?? '',
  eventTypes,
  isOrdered,
})

/** Edits an endpoint. Unsaved input survives a refresh of the endpoint. */
export function EndpointSettings({ endpoint }: { endpoint: Endpoint }) {
  const toast = useToast()
  const refresh = useRefreshEndpoint(endpoint.id)
  const [typed, setTyped] = useState<EndpointDraft>()
  const saving = useMutation({
    mutationFn: (draft: EndpointDraft) => editEndpoint(endpoint.id, toEndpointContent(draft)),
    onSuccess(edited) {
      refresh(edited)
      setTyped(undefined)
      toast.show({ message: 'Endpoint saved.' })
    },
  })
  const draft = typed ?? draftOf(endpoint)
  const isUnchanged = JSON.stringify(draft) === JSON.stringify(draftOf(endpoint))
  const change = (changed: EndpointDraft | undefined) => {
    setTyped(changed)
    saving.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saving.mutate(draft)
  }
  const isShownAtField = faultAt(saving.error, '/url') ?? faultAt(saving.error, '/description')
  return (
    <form onSubmit={submit} className="grid max-w-2xl gap-6">
      <EndpointFields draft={draft} savedUrl={endpoint.url} error={saving.error} onChange={change} />
      {draft.url !== endpoint.url && <p className="text-xs text-soft">Pending deliveries go to the new URL too.</p>}
      {draft.isOrdered !== endpoint.isOrdered && (
        <p className="text-xs text-soft">The order applies to new events. Pending deliveries keep the setting they were created with.</p>
      )}
      {saving.isError && isShownAtField === undefined && <Problem message={messageOf(saving.error)} />}
      <div className="flex flex-wrap items-center gap-2">
        <Button kind="primary" type="submit" isBusy={saving.isPending} disabled={isUnchanged || draft.eventTypes.length === 0}>
          Save changes
        </Button>
        {!isUnchanged && <Button kind="ghost" onClick={() => change(undefined)}>Discard changes</Button>}
      </div>
      <p className="text-xs text-soft">
        <code>{endpoint.id}</code>, added <Time at={endpoint.createdAt} />, last changed <Time at={endpoint.updatedAt} />.
      </p>
    </form>
  )
}
