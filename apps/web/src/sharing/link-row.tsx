import { useQueryClient } from '@tanstack/react-query'
import { LockKeyhole } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type PublicLink, publicLinksKey, revokePublicLink } from '../api/public-links.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { useToast } from '../ui/toast.tsx'
import { useAction } from '../ui/use-action.ts'
import { describeLink } from './link-draft.ts'

/** A public link with its use, in the dialog of its item and in the list of all links. */
export function LinkRow({ link, title, onEdit }: { link: PublicLink; title?: ReactNode; onEdit?: (() => void) | undefined }) {
  const { url, createdBy, createdAt, expiresAt, isExpired, viewCount, lastViewedAt, hasPassword } = link
  const [isRevoking, setIsRevoking] = useState(false)
  const client = useQueryClient()
  const toast = useToast()
  const revoking = useAction()
  const revoke = () =>
    revoking.run(async () => {
      await revokePublicLink(link.id)
      toast.show({ message: 'Link revoked.' })
      await client.invalidateQueries({ queryKey: publicLinksKey })
    })
  return (
    <li className="grid gap-2 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <div className="mr-auto flex min-w-0 flex-wrap items-center gap-2">
          {title}
          <span className={title === undefined ? 'font-medium' : 'text-soft'}>{describeLink(link)}</span>
          {hasPassword && <Badge><LockKeyhole className="size-3" aria-hidden="true" /> Password</Badge>}
          {isExpired && <Badge color="warning">Expired</Badge>}
        </div>
        {url !== null && <CopyButton text={url} label="Copy link" />}
        {onEdit && <Button size="small" onClick={onEdit}>Change</Button>}
        <Button size="small" kind="ghost" onClick={() => setIsRevoking(true)}>Revoke</Button>
      </div>
      <p className="text-xs text-soft">
        {viewCount === 1 ? '1 view' : `${viewCount} views`}
        {lastViewedAt !== null && <>, last <RelativeTime key={lastViewedAt} at={lastViewedAt} /></>}
        {' · '}Created by {createdBy.name} <RelativeTime at={createdAt} />
        {expiresAt !== null && <>{' · '}{isExpired ? 'Expired' : 'Expires'} <RelativeTime key={expiresAt} at={expiresAt} /></>}
      </p>
      <ConfirmDialog
        title="Revoke this link?"
        confirmLabel="Revoke link"
        isOpen={isRevoking}
        onOpenChange={setIsRevoking}
        isBusy={revoking.isBusy}
        error={revoking.error}
        onConfirm={revoke}
      >
        It stops working at once, for everyone who has it. This can’t be undone, but you can create a new link.
      </ConfirmDialog>
    </li>
  )
}
