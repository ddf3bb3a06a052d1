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

const hint = 'When an automation’s run ends, tell programs of your own by signed requests to the endpoints you name.'

export function WebhooksSwitch({ organization, isReadOnly }: { organization: Organization; isReadOnly: boolean }) {
  const [isAsking, setIsAsking] = useState(false)
  const queryClient = useQueryClient()
  const switching = useMutation({
    mutationFn: (webhooksEnabled: boolean) => editOrganization({ webhooksEnabled }),
    onSuccess: async (saved) => {
      setIsAsking(false)
      queryClient.setQueryData(organizationOptions.queryKey, saved)
      await queryClient.invalidateQueries({ queryKey: ['webhook-endpoints'] })
    },
  })
  // Switching off is felt by others, so it is asked about; switching on is not.
  const change = (isOn: boolean) => (isOn ? switching.mutate(true) : setIsAsking(true))
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
          <TextLink className="justify-self-start" href={paths.webhooks}>Set up endpoints</TextLink>
        )}
        {switching.isError && !isAsking && <Problem message={messageOf(switching.error)} />}
      </div>
      <ConfirmDialog
        title="Switch webhooks off?"
        confirmLabel="Switch off"
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        isBusy={switching.isPending}
        error={switching.error}
        onConfirm={() => switching.mutate(false)}
      >
        While they are off, no events are published: what happens meanwhile is not sent later. Endpoints and their
        secrets are kept.
      </ConfirmDialog>
    </Card>
  )
}
