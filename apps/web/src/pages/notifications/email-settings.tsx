import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  changeEmailSettings,
  notificationSettingsOptions,
  type NotificationSettings,
  sendTestEmail,
} from '../../api/notifications.ts'
import { messageOf } from '../../api/request.ts'
import { useIsAdmin } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Hint, Problem } from '../../ui/notice.tsx'
import { Switch } from '../../ui/switch.tsx'

/** Turns notifications by e-mail on or off. Hidden if no mail server is configured. */
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
    mutationFn: changeEmailSettings,
    onSuccess: (saved) => client.setQueryData(notificationSettingsOptions.queryKey, saved),
  })
  const testing = useMutation({
    mutationFn: async () => {
      const outcome = await sendTestEmail()
      if (!outcome.ok) throw new Error(outcome.message)
    },
  })
  const shown = { ...settings, ...(switching.isPending && switching.variables) }
  const problem = switching.error ?? testing.error
  return (
    <div className="grid justify-items-start gap-3">
      <Switch
        label={`Also send notifications to ${settings.email}`}
        isOn={shown.emailEnabled}
        isDisabled={switching.isPending}
        onChange={(emailEnabled) => switching.mutate({ emailEnabled })}
      />
      <Switch
        label="Include mentions and replies in comments"
        isOn={shown.emailEnabled && shown.commentEmailEnabled}
        isDisabled={switching.isPending || !shown.emailEnabled}
        onChange={(commentEmailEnabled) => switching.mutate({ commentEmailEnabled })}
      />
      {isAdmin && <Button isBusy={testing.isPending} onClick={() => testing.mutate()}>Send test e-mail</Button>}
      <div role="status" className="empty:-mt-3">
        {testing.isSuccess && <Hint kind="good">Sent a test e-mail to {settings.email}.</Hint>}
      </div>
      {problem && <Problem message={messageOf(problem)} />}
    </div>
  )
}
