import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { modelSettingsOptions, removeModelSettings } from '../../api/model-settings.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

export function RemoveModel() {
  const [isAsking, setIsAsking] = useState(false)
  const client = useQueryClient()
  const removing = useMutation({
    mutationFn: removeModelSettings,
    onSuccess: async () => {
      setIsAsking(false)
      await client.invalidateQueries({ queryKey: modelSettingsOptions.queryKey })
    },
  })
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>Remove</Button>
      <ConfirmDialog
        title="Remove the model?"
        confirmLabel="Remove"
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        isBusy={removing.isPending}
        error={removing.error}
        onConfirm={() => removing.mutate()}
      >
        Its key is forgotten. Automations that use the model fail until another is set up, and nobody can ask in chats.
      </ConfirmDialog>
    </>
  )
}
