import { type SubmitEvent, useState } from 'react'
import { createApiKey, type CreatedApiKey } from '../../api/api-keys.ts'
import { messageOf } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Problem } from '../../ui/notice.tsx'

export function ApiKeyForm({ onCreated }: { onCreated(key: CreatedApiKey): void }) {
  const [name, setName] = useState('')
  const [isSending, setIsSending] = useState(false)
  const [message, setMessage] = useState<string>()

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    setIsSending(true)
    setMessage(undefined)
    try {
      onCreated(await createApiKey(name))
      setName('')
    } catch (error) {
      setMessage(messageOf(error))
    } finally {
      setIsSending(false)
    }
  }

  return (
    <>
      <form className="in-a-row" onSubmit={(event) => void submit(event)}>
        <Field label="Name of the new key">
          <input value={name} onChange={(event) => setName(event.target.value)} placeholder="Nightly report" required maxLength={100} />
        </Field>
        <Button type="submit" kind="primary" disabled={isSending}>Create key</Button>
      </form>
      {message !== undefined && <Problem message={message} />}
    </>
  )
}
