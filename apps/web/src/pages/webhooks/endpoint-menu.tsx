import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, PowerOff, RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../api/request.ts'
import { deleteEndpoint, disableEndpoint, type Endpoint, enableEndpoint } from '../../api/webhook-endpoints.ts'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuDivider, MenuItem } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'
import { ReplayDialog } from './replay-dialog.tsx'
import { useRefreshEndpoint } from './use-refresh-endpoint.ts'

/** Less common actions: resending many events, disabling, deleting. */
export function EndpointMenu({ endpoint }: { endpoint: Endpoint }) {
  const [open, setOpen] = useState<'replay' | 'delete'>()
  const disable = useDisable(endpoint.id)
  return (
    <>
      <Menu trigger={<IconButton label="More actions" icon={<Ellipsis />} />}>
        <MenuItem icon={<RotateCcw />} isDisabled={endpoint.state === 'disabled'} onSelect={() => setOpen('replay')}>
          Resend events…
        </MenuItem>
        <MenuItem icon={<PowerOff />} isDisabled={endpoint.state === 'disabled'} onSelect={disable}>
          Disable endpoint
        </MenuItem>
        <MenuDivider />
        <MenuItem icon={<Trash2 />} isDangerous onSelect={() => setOpen('delete')}>Delete endpoint…</MenuItem>
      </Menu>
      {open === 'replay' && <ReplayDialog endpoint={endpoint} onClose={() => setOpen(undefined)} />}
      <DeleteDialog endpoint={endpoint} isOpen={open === 'delete'} onClose={() => setOpen(undefined)} />
    </>
  )
}

function useDisable(id: string): () => void {
  const toast = useToast()
  const refresh = useRefreshEndpoint(id)
  const showError = (error: unknown) => toast.show({ message: messageOf(error), isProblem: true })
  const undo = useMutation({ mutationFn: () => enableEndpoint(id, true), onSuccess: refresh, onError: showError })
  const disabling = useMutation({
    mutationFn: () => disableEndpoint(id),
    onSuccess(endpoint) {
      refresh(endpoint)
      toast.show({ message: 'Endpoint disabled. New events are held.', action: { label: 'Undo', act: () => undo.mutate() } })
    },
    onError: showError,
  })
  return () => disabling.mutate()
}

function DeleteDialog({ endpoint: { id, url }, isOpen, onClose }: { endpoint: Endpoint; isOpen: boolean; onClose(): void }) {
  const client = useQueryClient()
  const toast = useToast()
  const deleting = useMutation({
    mutationFn: () => deleteEndpoint(id),
    onSuccess() {
      navigate(paths.webhooks, { replace: true })
      client.removeQueries({ queryKey: ['webhook-endpoints', id] })
      void client.invalidateQueries({ queryKey: ['webhook-endpoints', 'list'] })
      toast.show({ message: `Deleted the endpoint at ${new URL(url).host}.` })
    },
  })
  return (
    <ConfirmDialog
      title={`Delete the endpoint at ${new URL(url).host}?`}
      confirmLabel="Delete endpoint"
      isOpen={isOpen}
      onOpenChange={(isStillOpen) => {
        if (!isStillOpen) onClose()
      }}
      isBusy={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate()}
    >
      <p>It won’t receive any more events, including pending ones. Its secret and delivery log are deleted. This can’t be undone.</p>
    </ConfirmDialog>
  )
}
