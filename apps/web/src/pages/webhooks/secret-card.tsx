import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../api/request.ts'
import {
  activateNextSecret,
  cancelNextSecret,
  type EndpointSecrets,
  createNextSecret,
  secretsOptions,
} from '../../api/webhook-endpoints.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Problem } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useToast } from '../../ui/toast.tsx'

/** The signing secret and its rotation: create the next secret, give it to the receiver, then switch to it. */
export function SecretCard({ endpointId, isRevealedAtFirst }: { endpointId: string; isRevealedAtFirst: boolean }) {
  const options = secretsOptions(endpointId)
  const client = useQueryClient()
  const { data, error, isPending } = useQuery(options)
  const take = (secrets: EndpointSecrets) => client.setQueryData(options.queryKey, secrets)
  return (
    <Card
      title="1. Store the signing secret"
      description="Every request is signed with it. Store it as QUERYPOST_WEBHOOK_SECRET where your app keeps its secrets."
    >
      <div className="grid grid-cols-1 gap-4">
        {isPending && <Skeleton rows={1} />}
        {error && !data && <Problem message={messageOf(error)} />}
        {data?.secret && <Secret name="Signing secret" secret={data.secret} isRevealedAtFirst={isRevealedAtFirst} />}
        {!isPending && <Rotation endpointId={endpointId} nextSecret={data?.nextSecret ?? null} onChange={take} />}
      </div>
    </Card>
  )
}

const box =
  'min-w-0 flex-1 basis-64 rounded-md border border-line bg-raised px-3 py-1.5 text-xs leading-5 [overflow-wrap:anywhere]'

function Secret({ name, secret, isRevealedAtFirst = false }: { name: string; secret: string; isRevealedAtFirst?: boolean }) {
  const [isRevealed, setIsRevealed] = useState(isRevealedAtFirst)
  return (
    <div className="flex flex-wrap items-center gap-2">
      <code
        className={box}
        aria-label={isRevealed ? name : `${name}, hidden`}
        role="note"
      >
        {isRevealed ? secret : `whsec_${'•'.repeat(24)}`}
      </code>
      <Button
        size="small"
        icon={isRevealed ? <EyeOff /> : <Eye />}
        onClick={() => setIsRevealed(!isRevealed)}
        aria-label={isRevealed ? `Hide ${name.toLowerCase()}` : `Reveal ${name.toLowerCase()}`}
      >
        {isRevealed ? 'Hide' : 'Reveal'}
      </Button>
      <CopyButton text={secret} label={`Copy ${name.toLowerCase()}`} />
    </div>
  )
}

function Rotation(props: { endpointId: string; nextSecret: string | null; onChange(secrets: EndpointSecrets): void }) {
  const { endpointId, nextSecret, onChange } = props
  const toast = useToast()
  const [isConfirming, setIsConfirming] = useState(false)
  const making = useMutation({ mutationFn: () => createNextSecret(endpointId), onSuccess: onChange })
  const canceling = useMutation({ mutationFn: () => cancelNextSecret(endpointId), onSuccess: onChange })
  const activating = useMutation({
    mutationFn: () => activateNextSecret(endpointId),
    onSuccess(secrets) {
      onChange(secrets)
      setIsConfirming(false)
      toast.show({ message: 'New attempts are signed with the new secret.' })
    },
  })
  const failure = making.error ?? canceling.error
  if (nextSecret === null) {
    return (
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-4">
        <p className="mr-auto max-w-xl text-soft">
          To rotate without missing an event, create the next secret first. It isn’t used until you switch to it.
        </p>
        <Button size="small" isBusy={making.isPending} onClick={() => making.mutate()}>Rotate secret</Button>
        {failure && <Problem message={messageOf(failure)} />}
      </div>
    )
  }
  return (
    <section className="grid grid-cols-1 gap-3 border-t border-line pt-4" aria-label="Secret rotation">
      <h3 className="font-semibold">Next secret created</h3>
      <ol className="grid grid-cols-1 list-decimal gap-3 pl-5">
        <li className="pl-1">
          <p className="mb-1.5">
            Add it to your app next to the current one. With our library: <code>secret: [current, next]</code>.
          </p>
          <Secret name="Next secret" secret={nextSecret} isRevealedAtFirst />
        </li>
        <li className="pl-1">
          <p className="mb-1.5">Once your app accepts both secrets, switch signing to the new one.</p>
          <div className="flex flex-wrap gap-2">
            <Button kind="primary" size="small" onClick={() => setIsConfirming(true)}>Switch to new secret</Button>
            <Button kind="ghost" size="small" isBusy={canceling.isPending} onClick={() => canceling.mutate()}>
              Cancel rotation
            </Button>
          </div>
        </li>
        <li className="pl-1">Remove the old secret from your app.</li>
      </ol>
      {failure && <Problem message={messageOf(failure)} />}
      <ConfirmDialog
        title="Switch to the new secret?"
        confirmLabel="Switch to new secret"
        isHarmless
        isOpen={isConfirming}
        onOpenChange={setIsConfirming}
        isBusy={activating.isPending}
        error={activating.error}
        onConfirm={() => activating.mutate()}
      >
        <p>All new attempts, including retries, are signed with it. The old secret is deleted and can’t be restored.</p>
      </ConfirmDialog>
    </section>
  )
}
