import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { modelSettingsOptions, removeModelSettings } from '../../api/model-settings.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

export function RemoveModel() {
  const [isConfirming, setIsConfirming] = useState(false)
  const client = useQueryClient()
  const removing = useMutation({
    mutationFn: removeModelSettings,
    onSuccess: async () => {
      setIsConfirming(false)
      await client.invalidateQueries({ queryKey: modelSettingsOptions.queryKey })
    },
  })
  return (
    <>
      <Button onClick={() => setIsConfirming(true)}>Remove model</Button>
      <ConfirmDialog
        title="Remove the model?"
        confirmLabel="Remove model"
        isOpen={isConfirming}
        onOpenChange={setIsConfirming}
        isBusy={removing.isPending}
        error={removing.error}
        onConfirm={() => removing.mutate()}
      >
        This deletes its API key. Until you connect another model, automations that use it fail and chats can’t be continued.
      </ConfirmDialog>
    </>
  )
}
