import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../api/request.ts'
import {
  activateNextSecret,
  cancelNextSecret,
  type EndpointSecrets,
  makeNextSecret,
  secretsOptions,
} from '../../api/webhook-endpoints.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Problem } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useToast } from '../../ui/toast.tsx'

/** The secret that signs, and the way to another one: made ahead, given to the receiver, and only then used. */
export function SecretCard({ endpointId, isRevealedAtFirst }: { endpointId: string; isRevealedAtFirst: boolean }) {
  const options = secretsOptions(endpointId)
  const client = useQueryClient()
  const { data, error, isPending } = useQuery(options)
  const take = (secrets: EndpointSecrets) => client.setQueryData(options.queryKey, secrets)
  return (
    <Card
      title="1. Give your program its secret"
      description="Every request is signed with it. Keep it with your program’s passwords, as QUERYPOST_WEBHOOK_SECRET."
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
        aria-label={isRevealed ? `Hide the ${name.toLowerCase()}` : `Reveal the ${name.toLowerCase()}`}
      >
        {isRevealed ? 'Hide' : 'Reveal'}
      </Button>
      <CopyButton text={secret} label={`Copy the ${name.toLowerCase()}`} />
    </div>
  )
}

function Rotation(props: { endpointId: string; nextSecret: string | null; onChange(secrets: EndpointSecrets): void }) {
  const { endpointId, nextSecret, onChange } = props
  const toast = useToast()
  const [isAsking, setIsAsking] = useState(false)
  const making = useMutation({ mutationFn: () => makeNextSecret(endpointId), onSuccess: onChange })
  const cancelling = useMutation({ mutationFn: () => cancelNextSecret(endpointId), onSuccess: onChange })
  const activating = useMutation({
    mutationFn: () => activateNextSecret(endpointId),
    onSuccess(secrets) {
      onChange(secrets)
      setIsAsking(false)
      toast.show({ message: 'From the next attempt on, the new secret signs.' })
    },
  })
  const failure = making.error ?? cancelling.error
  if (nextSecret === null) {
    return (
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-4">
        <p className="mr-auto max-w-xl text-soft">
          To change it without missing an event, make the next one first. It is shown and not used until you say so.
        </p>
        <Button size="small" isBusy={making.isPending} onClick={() => making.mutate()}>Rotate the secret</Button>
        {failure && <Problem message={messageOf(failure)} />}
      </div>
    )
  }
  return (
    <section className="grid grid-cols-1 gap-3 border-t border-line pt-4" aria-label="Rotation of the secret">
      <h3 className="font-semibold">A next secret is ready</h3>
      <ol className="grid grid-cols-1 list-decimal gap-3 pl-5">
        <li className="pl-1">
          <p className="mb-1.5">
            Give it to your program beside the current one; for the library that is <code>secret: [current, next]</code>.
          </p>
          <Secret name="Next secret" secret={nextSecret} isRevealedAtFirst />
        </li>
        <li className="pl-1">
          <p className="mb-1.5">When your program takes both, let the next one sign.</p>
          <div className="flex flex-wrap gap-2">
            <Button kind="primary" size="small" onClick={() => setIsAsking(true)}>Make it the current one</Button>
            <Button kind="ghost" size="small" isBusy={cancelling.isPending} onClick={() => cancelling.mutate()}>
              Cancel the rotation
            </Button>
          </div>
        </li>
        <li className="pl-1">Remove the old one from your program.</li>
      </ol>
      {failure && <Problem message={messageOf(failure)} />}
      <ConfirmDialog
        title="Make the next secret the current one"
        confirmLabel="Make it the current one"
        isHarmless
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        isBusy={activating.isPending}
        error={activating.error}
        onConfirm={() => activating.mutate()}
      >
        <p>From the next attempt on it signs every request, retries too. The one before is forgotten here for good.</p>
      </ConfirmDialog>
    </section>
  )
}
