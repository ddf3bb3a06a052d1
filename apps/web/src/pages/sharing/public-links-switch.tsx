import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { editOrganization, type Organization, organizationOptions } from '../../api/organization.ts'
import { messageOf } from '../../api/request.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Problem } from '../../ui/notice.tsx'
import { Switch } from '../../ui/switch.tsx'

/** Turns all public links of the organization off or on. */
export function PublicLinksSwitch({ organization }: { organization: Organization }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const queryClient = useQueryClient()
  const switching = useMutation({
    mutationFn: (publicLinksEnabled: boolean) => editOrganization({ publicLinksEnabled }),
    onSuccess: (saved) => {
      setIsConfirming(false)
      queryClient.setQueryData(organizationOptions.queryKey, saved)
    },
  })
  return (
    <div className="grid gap-3">
      <Switch
        label="Allow public links"
        hint="While this is off, no link can be opened and none can be created."
        isOn={organization.publicLinksEnabled}
        isDisabled={switching.isPending}
        // Turning links off affects everyone who has one, so it needs a confirmation.
        onChange={(isOn) => (isOn ? switching.mutate(true) : setIsConfirming(true))}
      />
      {switching.isError && !isConfirming && <Problem message={messageOf(switching.error)} />}
      <ConfirmDialog
        title="Turn off public links?"
        confirmLabel="Turn off public links"
        isOpen={isConfirming}
        onOpenChange={setIsConfirming}
        isBusy={switching.isPending}
        error={switching.error}
        onConfirm={() => switching.mutate(false)}
      >
        All public links of your organization stop working at once. They work again when you turn this on.
      </ConfirmDialog>
    </div>
  )
}
