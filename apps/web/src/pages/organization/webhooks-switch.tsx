import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { editOrganization, type Organization, organizationOptions } from '../../api/organization.ts'
import { messageOf } from '../../api/request.ts'
import { paths } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Problem } from '../../ui/notice.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextLink } from '../../ui/text-link.tsx'

const hint = 'Notify your apps when an automation finishes.'

export function WebhooksSwitch({ organization, isReadOnly }: { organization: Organization; isReadOnly: boolean }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const queryClient = useQueryClient()
  const switching = useMutation({
    mutationFn: (webhooksEnabled: boolean) => editOrganization({ webhooksEnabled }),
    onSuccess: async (saved) => {
      setIsConfirming(false)
      queryClient.setQueryData(organizationOptions.queryKey, saved)
      await queryClient.invalidateQueries({ queryKey: ['webhook-endpoints'] })
    },
  })
  // Turning webhooks off affects others, so it needs a confirmation.
  const change = (isOn: boolean) => (isOn ? switching.mutate(true) : setIsConfirming(true))
  return (
    <Card title="Features">
      <div className="grid gap-3">
        <Switch
          label="Webhooks"
          hint={hint}
          isOn={organization.webhooksEnabled}
          isDisabled={isReadOnly || switching.isPending}
          onChange={change}
        />
        {organization.webhooksEnabled && !isReadOnly && (
          <TextLink className="justify-self-start" href={paths.webhooks}>Manage endpoints</TextLink>
        )}
        {switching.isError && !isConfirming && <Problem message={messageOf(switching.error)} />}
      </div>
      <ConfirmDialog
        title="Turn off webhooks?"
        confirmLabel="Turn off webhooks"
        isOpen={isConfirming}
        onOpenChange={setIsConfirming}
        isBusy={switching.isPending}
        error={switching.error}
        onConfirm={() => switching.mutate(false)}
      >
        While webhooks are off, no events are published, and they aren’t sent later either. Endpoints and their secrets are
        kept.
      </ConfirmDialog>
    </Card>
  )
}
