import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  notificationSettingsOptions,
  type NotificationSettings,
  sendTestEmail,
  switchEmail,
} from '../../api/notifications.ts'
import { messageOf } from '../../api/request.ts'
import { useIsAdmin } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Hint, Problem } from '../../ui/notice.tsx'
import { Switch } from '../../ui/switch.tsx'

/** Whether notifications come by e-mail too; nothing where the operator has set up no mail server. */
export function EmailSettings() {
  const { data } = useQuery(notificationSettingsOptions)
  if (!data?.canSendMail) return null
  return (
    <Card title="E-mail" className="mt-8">
      <EmailSwitch settings={data} />
    </Card>
  )
}

function EmailSwitch({ settings }: { settings: NotificationSettings }) {
  const client = useQueryClient()
  const isAdmin = useIsAdmin()
  const switching = useMutation({
    mutationFn: switchEmail,
    onSuccess: (saved) => client.setQueryData(notificationSettingsOptions.queryKey, saved),
  })
  const testing = useMutation({
    mutationFn: async () => {
      const outcome = await sendTestEmail()
      if (!outcome.ok) throw new Error(outcome.message)
    },
  })
  const problem = switching.error ?? testing.error
  return (
    <div className="grid justify-items-start gap-3">
      <Switch
        label={`Send notifications to ${settings.email} too`}
        isOn={switching.isPending ? switching.variables : settings.emailEnabled}
        isDisabled={switching.isPending}
        onChange={(emailEnabled) => switching.mutate(emailEnabled)}
      />
      {isAdmin && <Button isBusy={testing.isPending} onClick={() => testing.mutate()}>Send a test letter</Button>}
      <div role="status" className="empty:-mt-3">
        {testing.isSuccess && <Hint kind="good">A letter is on its way to {settings.email}.</Hint>}
      </div>
      {problem && <Problem message={messageOf(problem)} />}
    </div>
  )
}
