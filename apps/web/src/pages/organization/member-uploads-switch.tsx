import { useMutation, useQueryClient } from '@tanstack/react-query'
import { editOrganization, type Organization, organizationOptions } from '../../api/organization.ts'
import { messageOf } from '../../api/request.ts'
import { Card } from '../../ui/card.tsx'
import { Problem } from '../../ui/notice.tsx'
import { Switch } from '../../ui/switch.tsx'

/** Lets members upload files, each into a database of their own. */
export function MemberUploadsSwitch({ organization, isReadOnly }: { organization: Organization; isReadOnly: boolean }) {
  const queryClient = useQueryClient()
  const switching = useMutation({
    mutationFn: (memberUploadsEnabled: boolean) => editOrganization({ memberUploadsEnabled }),
    onSuccess: (saved) => queryClient.setQueryData(organizationOptions.queryKey, saved),
  })
  return (
    <Card title="Uploads">
      <div className="grid gap-3">
        <Switch
          label="Members can upload files"
          hint="Each member gets a database for their files. Everyone in your organization can query it."
          isOn={organization.memberUploadsEnabled}
          isDisabled={isReadOnly || switching.isPending}
          onChange={(isOn) => switching.mutate(isOn)}
        />
        {switching.isError && <Problem message={messageOf(switching.error)} />}
      </div>
    </Card>
  )
}
