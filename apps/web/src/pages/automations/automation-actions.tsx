import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Pause, Pencil, Play, Trash2 } from 'lucide-react'
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
import { useToast } from '../../ui/toast.tsx'

/** What can be done with an automation. */
export function AutomationActions({ automation, onEdit }: { automation: Automation; onEdit(): void }) {
  const { id, enabled } = automation
  const client = useQueryClient()
  const toast = useToast()
  const readAnew = () => client.invalidateQueries({ queryKey: automationsKey })
  const running = useMutation({
    mutationFn: () => runAutomation(id),
    onSuccess: ({ chatShortId }) => {
      void readAnew()
      navigate(paths.chat(chatShortId))
    },
    onError: (error) => {
      // Somebody else was faster: the page then shows the run that is under way.
      if (hasCode(error, 'automation_already_running')) void readAnew()
      toast.show({ message: messageOf(error), isProblem: true })
    },
  })
  const switching = useMutation({
    mutationFn: () => editAutomation(id, { enabled: !enabled }),
    onSuccess: (changed) => {
      client.setQueryData(automationOptions(id).queryKey, changed)
      void readAnew()
    },
    onError: (error) => toast.show({ message: messageOf(error), isProblem: true }),
  })
  const isByItself = automation.schedule !== null || automation.condition !== null
  return (
    <>
      <Button kind="primary" icon={<Play />} isBusy={running.isPending} onClick={() => running.mutate()}>Run now</Button>
      {isByItself && (
        <Button icon={enabled ? <Pause /> : <Play />} isBusy={switching.isPending} onClick={() => switching.mutate()}>
          {enabled ? 'Pause' : 'Resume'}
        </Button>
      )}
      <Button icon={<Pencil />} onClick={onEdit}>Edit</Button>
      <DeleteAutomation automation={automation} />
    </>
  )
}

function DeleteAutomation({ automation }: { automation: Automation }) {
  const [isAsking, setIsAsking] = useState(false)
  const client = useQueryClient()
  const toast = useToast()
  const deleting = useMutation({
    mutationFn: () => deleteAutomation(automation.id),
    onSuccess: () => {
      navigate(paths.automations)
      toast.show({ message: `“${automation.name}” is deleted.` })
      client.removeQueries({ queryKey: automationOptions(automation.id).queryKey })
      void client.invalidateQueries({ queryKey: automationsKey })
    },
  })
  return (
    <>
      <Button icon={<Trash2 />} onClick={() => setIsAsking(true)}>Delete</Button>
      <ConfirmDialog
        title={`Delete “${automation.name}”?`}
        confirmLabel="Delete"
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        isBusy={deleting.isPending}
        error={deleting.error}
        onConfirm={() => deleting.mutate()}
      >
        It does not run again. The chats of its runs stay, and a run under way goes on to its end.
      </ConfirmDialog>
    </>
  )
}
