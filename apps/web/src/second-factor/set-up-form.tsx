import { type SubmitEvent, useState } from 'react'
import type { SecondFactorOffer } from '../api/second-factor.ts'
import { faultAt } from '../api/request.ts'
import { Button } from '../ui/button.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { Field } from '../ui/field.tsx'
import { FormProblem } from '../ui/form-problem.tsx'
import { QrCode } from '../ui/qr-code.tsx'
import { CodeInput } from './code-input.tsx'

/** Shows the new key and asks for the first code, which proves that the app has it. */
export function SetUpForm(props: {
  offered: SecondFactorOffer
  isBusy: boolean
  error: unknown
  onConfirm(given: { offer: string; code: string }): void
}) {
  const { offered } = props
  const [isTyping, setIsTyping] = useState(false)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    props.onConfirm({ offer: offered.offer, code: new FormData(event.currentTarget).get('code') as string })
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <p>Scan the code with an authenticator app, such as the one of your password manager or phone.</p>
      <div className="grid justify-items-center gap-2">
        <QrCode text={offered.uri} label="QR code of the key" />
        {!isTyping && <Button size="small" onClick={() => setIsTyping(true)}>Can’t scan it?</Button>}
      </div>
      {isTyping && (
        <div className="grid gap-1">
          <p>Enter this key in the app:</p>
          <CodeBlock label="Key" text={offered.key} isWrapped />
        </div>
      )}
      <Field label="Code" hint="The six digits that the app shows now." fault={faultAt(props.error, '/code')}>
        <CodeInput />
      </Field>
      <FormProblem error={props.error} fields={['/code']} />
      <Button type="submit" kind="primary" className="justify-self-start" isBusy={props.isBusy}>Turn on</Button>
    </form>
  )
}
