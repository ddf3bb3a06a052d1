import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Pause, Pencil, Play, Trash2, Workflow } from 'lucide-react'
import { useState } from 'react'
import {
  type Automation,
  automationOptions,
  automationsKey,
  deleteAutomation,
  editAutomation,
  runAutomation,
} from '../../api/automations.ts'
import { hasCode, messageOf } from '../../api/request.ts'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'
import { ItemLineageDialog } from '../lineage/item-lineage-dialog.tsx'

/** The actions on an automation: run, pause or resume, edit, show its lineage, delete. One that is managed in Git can only be run. */
export function AutomationActions(props: { automation: Automation; isManaged: boolean; onEdit(): void }) {
  const { automation, isManaged, onEdit } = props
  const { id, enabled } = automation
  const client = useQueryClient()
  const toast = useToast()
  const refresh = () => client.invalidateQueries({ queryKey: automationsKey })
  const running = useMutation({
    mutationFn: () => runAutomation(id),
    onSuccess: ({ chatShortId }) => {
      void refresh()
      navigate(paths.chat(chatShortId))
    },
    onError: (error) => {
      // Somebody else started a run first. Show it.
      if (hasCode(error, 'automation_already_running')) void refresh()
      toast.show({ message: messageOf(error), isProblem: true })
    },
  })
  const switching = useMutation({
    mutationFn: () => editAutomation(id, { enabled: !enabled }),
    onSuccess: (changed) => {
      client.setQueryData(automationOptions(id).queryKey, changed)
      void refresh()
    },
    onError: (error) => toast.show({ message: messageOf(error), isProblem: true }),
  })
  const isAutomatic = automation.schedule !== null || automation.condition !== null
  return (
    <>
      <Button kind="primary" icon={<Play />} isBusy={running.isPending} onClick={() => running.mutate()}>Run now</Button>
      {isAutomatic && !isManaged && (
        <Button icon={enabled ? <Pause /> : <Play />} isBusy={switching.isPending} onClick={() => switching.mutate()}>
          {enabled ? 'Pause' : 'Resume'}
        </Button>
      )}
      {!isManaged && <Button icon={<Pencil />} onClick={onEdit}>Edit</Button>}
      <MoreActions automation={automation} isManaged={isManaged} />
    </>
  )
}

function MoreActions({ automation, isManaged }: { automation: Automation; isManaged: boolean }) {
  const [isShowingLineage, setIsShowingLineage] = useState(false)
  const [isConfirming, setIsConfirming] = useState(false)
  const client = useQueryClient()
  const toast = useToast()
  const deleting = useMutation({
    mutationFn: () => deleteAutomation(automation.id),
    onSuccess: () => {
      navigate(paths.automations)
      toast.show({ message: `Deleted “${automation.name}”.` })
      client.removeQueries({ queryKey: automationOptions(automation.id).queryKey })
      void client.invalidateQueries({ queryKey: automationsKey })
    },
  })
  return (
    <>
      <Menu trigger={<IconButton label="More actions" icon={<Ellipsis />} />}>
        <MenuItem icon={<Workflow />} onSelect={() => setIsShowingLineage(true)}>Lineage</MenuItem>
        {!isManaged && <MenuItem icon={<Trash2 />} isDangerous onSelect={() => setIsConfirming(true)}>Delete automation</MenuItem>}
      </Menu>
      {isShowingLineage && <ItemLineageDialog item={{ kind: 'automation', id: automation.id }} onClose={() => setIsShowingLineage(false)} />}
      <ConfirmDialog
        title={`Delete “${automation.name}”?`}
        confirmLabel="Delete automation"
        isOpen={isConfirming}
        onOpenChange={setIsConfirming}
        isBusy={deleting.isPending}
        error={deleting.error}
        onConfirm={() => deleting.mutate()}
      >
        It won’t run again. Chats from past runs are kept, and a run in progress finishes.
      </ConfirmDialog>
    </>
  )
}
