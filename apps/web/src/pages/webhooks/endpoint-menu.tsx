import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, PowerOff, RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../api/request.ts'
import { deleteEndpoint, disableEndpoint, type Endpoint, enableEndpoint } from '../../api/webhook-endpoints.ts'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Menu, MenuDivider, MenuItem } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'
import { ReplayDialog } from './replay-dialog.tsx'
import { useRefresh } from './use-refresh.ts'

/** What is done seldom: sending again in numbers, switching off, deleting. */
export function EndpointMenu({ endpoint }: { endpoint: Endpoint }) {
  const [open, setOpen] = useState<'replay' | 'deletion'>()
  const disable = useDisabling(endpoint.id)
  return (
    <>
      <Menu
        trigger={
          <button type="button" className={buttonClass({})} aria-label="More for this endpoint">
            <Ellipsis aria-hidden="true" />
          </button>
        }
      >
        <MenuItem icon={<RotateCcw />} isDisabled={endpoint.state === 'disabled'} onSelect={() => setOpen('replay')}>
          Send events again …
        </MenuItem>
        <MenuItem icon={<PowerOff />} isDisabled={endpoint.state === 'disabled'} onSelect={disable}>
          Disable
        </MenuItem>
        <MenuDivider />
        <MenuItem icon={<Trash2 />} isDangerous onSelect={() => setOpen('deletion')}>Delete …</MenuItem>
      </Menu>
      {open === 'replay' && <ReplayDialog endpoint={endpoint} onClose={() => setOpen(undefined)} />}
      <Deletion endpoint={endpoint} isOpen={open === 'deletion'} onClose={() => setOpen(undefined)} />
    </>
  )
}

function useDisabling(id: string): () => void {
  const toast = useToast()
  const refresh = useRefresh(id)
  const tell = (error: unknown) => toast.show({ message: messageOf(error), isProblem: true })
  const undo = useMutation({ mutationFn: () => enableEndpoint(id, true), onSuccess: refresh, onError: tell })
  const disabling = useMutation({
    mutationFn: () => disableEndpoint(id),
    onSuccess(endpoint) {
      refresh(endpoint)
      toast.show({ message: 'Disabled. Events are held for it.', action: { label: 'Undo', act: () => undo.mutate() } })
    },
    onError: tell,
  })
  return () => disabling.mutate()
}

function Deletion({ endpoint: { id, url }, isOpen, onClose }: { endpoint: Endpoint; isOpen: boolean; onClose(): void }) {
  const client = useQueryClient()
  const toast = useToast()
  const deleting = useMutation({
    mutationFn: () => deleteEndpoint(id),
    onSuccess() {
      navigate(paths.webhooks, { replace: true })
      client.removeQueries({ queryKey: ['webhook-endpoints', id] })
      void client.invalidateQueries({ queryKey: ['webhook-endpoints', 'list'] })
      toast.show({ message: `${new URL(url).host} gets nothing more.` })
    },
  })
  return (
    <ConfirmDialog
      title={`Delete the endpoint at ${new URL(url).host}`}
      confirmLabel="Delete the endpoint"
      isOpen={isOpen}
      onOpenChange={(isStillOpen) => {
        if (!isStillOpen) onClose()
      }}
      isBusy={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate()}
    >
      <p>It gets nothing more, not even what is on its way. Its secret and its log are deleted. This cannot be undone.</p>
    </ConfirmDialog>
  )
}
