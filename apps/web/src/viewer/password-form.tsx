import { type FormEvent, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { TextInput } from '../ui/inputs.tsx'

/** Asks for the password of a link. The policy of the page forbids sending forms, so a script sends the password. */
export function PasswordForm({ onSubmit }: { onSubmit(password: string): Promise<void> }) {
  const [password, setPassword] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setIsBusy(true)
    setFault(undefined)
    try {
      await onSubmit(password)
    } catch (error) {
      setFault((error as Error).message)
      setIsBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="grid w-80 max-w-full gap-4 rounded-lg border border-line bg-surface p-6 text-left">
      <h1>Enter the password</h1>
      <Field label="Password" hint="The person who sent you this link knows it." fault={fault}>
        <TextInput type="password" value={password} autoFocus autoComplete="off" required onChange={({ target }) => setPassword(target.value)} />
      </Field>
      <Button kind="primary" type="submit" isBusy={isBusy}>Open</Button>
    </form>
  )
}
