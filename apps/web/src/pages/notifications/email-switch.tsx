import { useState } from 'react'
import {
  getNotificationSettings,
  type NotificationSettings,
  sendTestEmail,
  switchEmail,
} from '../../api/notifications.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { Button } from '../../ui/button.tsx'
import { Hint, Problem } from '../../ui/notice.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useAction } from '../../ui/use-action.ts'

/** Whether notifications come by e-mail too; nothing where the operator has set up no mail server. */
export function EmailSwitch({ isAdmin }: { isAdmin: boolean }) {
  const { loaded } = useLoaded('notification settings', getNotificationSettings)
  if (loaded.status !== 'ready' || !loaded.value.canSendMail) return null
  return <EmailSettings initial={loaded.value} isAdmin={isAdmin} />
}

function EmailSettings({ initial, isAdmin }: { initial: NotificationSettings; isAdmin: boolean }) {
  const [settings, setSettings] = useState(initial)
  const [sent, setSent] = useState<string>()
  const action = useAction()
  const test = () =>
    action.run(async () => {
      const outcome = await sendTestEmail()
      if (!outcome.ok) throw new Error(outcome.message)
      setSent(`A letter is on its way to ${settings.email}.`)
    })
  return (
    <section className="email" aria-label="E-mail">
      <h2>E-mail</h2>
      <Switch
        label={`Send notifications to ${settings.email} too`}
        isOn={settings.emailEnabled}
        isDisabled={action.isBusy}
        onChange={(emailEnabled) => action.run(async () => setSettings(await switchEmail(emailEnabled)))}
      />
      {isAdmin && <Button onClick={test} disabled={action.isBusy}>Send a test letter</Button>}
      {sent !== undefined && action.message === undefined && <Hint>{sent}</Hint>}
      {action.message !== undefined && <Problem message={action.message} />}
    </section>
  )
}
