import { type SubmitEvent, useState } from 'react'
import { messageOf } from '../api/request.ts'
import { signIn } from '../api/session.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Frame } from '../ui/frame.tsx'
import { Problem } from '../ui/notice.tsx'
import { useTitle } from '../ui/use-title.ts'

export function SignInPage({ onSignedIn }: { onSignedIn(): void }) {
  useTitle('Sign in')
  const [isSending, setIsSending] = useState(false)
  const [message, setMessage] = useState<string>()

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setIsSending(true)
    setMessage(undefined)
    try {
      await signIn({ email: form.get('email') as string, password: form.get('password') as string })
      onSignedIn()
    } catch (error) {
      setMessage(messageOf(error))
      setIsSending(false)
    }
  }

  return (
    <Frame>
      <form className="card sign-in" onSubmit={(event) => void submit(event)}>
        <h1>Sign in</h1>
        <Field label="E-mail">
          <input name="email" type="text" inputMode="email" autoComplete="username" autoCapitalize="none" required autoFocus />
        </Field>
        <Field label="Password">
          <input name="password" type="password" autoComplete="current-password" required />
        </Field>
        {message !== undefined && <Problem message={message} />}
        <Button type="submit" kind="primary" disabled={isSending}>
          {isSending ? 'Signing in …' : 'Sign in'}
        </Button>
      </form>
    </Frame>
  )
}
