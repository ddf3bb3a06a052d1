import { useMutation, useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { faultAt, hasCode, messageOf } from '../../api/request.ts'
import { enterCode, offerAtSignIn, secondStepOptions, setUpAtSignIn } from '../../api/second-factor.ts'
import { paths, returnToIn } from '../../paths.ts'
import { CodeInput } from '../../second-factor/code-input.tsx'
import { RecoveryCodes } from '../../second-factor/recovery-codes.tsx'
import { SetUpForm } from '../../second-factor/set-up-form.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Problem } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { useLocation } from '../../use-location.ts'

/** After the password: a code of the second factor, or setting one up if the organization requires it. */
export function SecondStepPage() {
  useTitle('Sign in')
  const { search } = useLocation()
  const step = useQuery(secondStepOptions)
  // A new document, so that no data of a previous session stays in memory.
  const enter = () => window.location.assign(returnToIn(search, window.location.origin))
  return (
    <Card className="p-6">
      {step.data ? (
        step.data.step === 'code' ? <CodeForm email={step.data.email} onDone={enter} /> : <SetUp email={step.data.email} onDone={enter} />
      ) : step.isError ? (
        <StartAgain message={messageOf(step.error)} />
      ) : (
        <Skeleton rows={3} />
      )}
    </Card>
  )
}

function CodeForm({ email, onDone }: { email: string; onDone(): void }) {
  const entering = useMutation({ mutationFn: enterCode, onSuccess: onDone })
  const [isRecovering, setIsRecovering] = useState(false)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    entering.mutate(new FormData(event.currentTarget).get('code') as string)
  }
  if (hasCode(entering.error, 'unauthenticated')) return <StartAgain message={messageOf(entering.error)} />
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <div className="grid gap-1">
        <h1>{isRecovering ? 'Enter a recovery code' : 'Enter your code'}</h1>
        <p className="text-soft">
          For <strong className="text-ink [overflow-wrap:anywhere]">{email}</strong>
        </p>
      </div>
      <Field
        label={isRecovering ? 'Recovery code' : 'Code'}
        hint={isRecovering ? 'One of the codes that you saved. Each works once.' : 'The six digits in your authenticator app.'}
        fault={faultAt(entering.error, '/code')}
      >
        <CodeInput key={String(isRecovering)} allowsRecovery={isRecovering} autoFocus />
      </Field>
      <FormProblem error={entering.error} fields={['/code']} />
      <Button type="submit" kind="primary" isBusy={entering.isPending || entering.isSuccess}>Sign in</Button>
      <div className="flex flex-wrap justify-between gap-2 text-xs">
        <Button size="small" onClick={() => setIsRecovering(!isRecovering)}>
          {isRecovering ? 'Use the app' : 'Use a recovery code'}
        </Button>
        <TextLink className="self-center" href={paths.signIn()}>Sign in as someone else</TextLink>
      </div>
    </form>
  )
}

function SetUp({ email, onDone }: { email: string; onDone(): void }) {
  const offering = useMutation({ mutationFn: offerAtSignIn })
  const confirming = useMutation({ mutationFn: setUpAtSignIn })
  const error = offering.error ?? confirming.error
  if (hasCode(error, 'unauthenticated')) return <StartAgain message={messageOf(error)} />
  if (confirming.data) {
    return (
      <div className="grid gap-4">
        <h1>Save your recovery codes</h1>
        <RecoveryCodes codes={confirming.data.recoveryCodes} doneLabel="I’ve saved them" onDone={onDone} />
      </div>
    )
  }
  return (
    <div className="grid gap-4">
      <div className="grid gap-1">
        <h1>Set up a second factor</h1>
        <p className="text-soft">
          Your organization requires one for <strong className="text-ink [overflow-wrap:anywhere]">{email}</strong>. From now on, you sign in with
          your password and a code.
        </p>
      </div>
      {offering.data ? (
        <SetUpForm offered={offering.data} isBusy={confirming.isPending} error={confirming.error} onConfirm={confirming.mutate} />
      ) : (
        <>
          {offering.error && <Problem message={messageOf(offering.error)} />}
          <Button kind="primary" className="justify-self-start" isBusy={offering.isPending} onClick={() => offering.mutate()}>Continue</Button>
        </>
      )}
    </div>
  )
}

function StartAgain({ message }: { message: string }) {
  return (
    <div className="grid gap-4">
      <h1>Sign in again</h1>
      <p className="text-soft" role="alert">{message}</p>
      <ButtonLink kind="primary" className="justify-self-start" href={paths.signIn()}>Sign in</ButtonLink>
    </div>
  )
}
