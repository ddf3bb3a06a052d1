import { useMutation } from '@tanstack/react-query'
import type { SubmitEvent } from 'react'
import { faultAt } from '../../api/request.ts'
import { offerSecondFactor, renewRecoveryCodes, turnOffSecondFactor, turnOnSecondFactor } from '../../api/second-factor.ts'
import { CodeInput } from '../../second-factor/code-input.tsx'
import { RecoveryCodes } from '../../second-factor/recovery-codes.tsx'
import { SetUpForm } from '../../second-factor/set-up-form.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { useToast } from '../../ui/toast.tsx'
import { PasswordInput } from '../sign-in/password-input.tsx'

/** The password, then the key with its first code, then the recovery codes. */
export function SetUpDialog({ onClose }: { onClose(): void }) {
  const offering = useMutation({ mutationFn: offerSecondFactor })
  const confirming = useMutation({ mutationFn: turnOnSecondFactor })
  return (
    <Dialog title="Set up a second factor" isOpen onOpenChange={onClose}>
      {confirming.data ? (
        <RecoveryCodes codes={confirming.data.recoveryCodes} doneLabel="Done" onDone={onClose} />
      ) : offering.data ? (
        <SetUpForm offered={offering.data} isBusy={confirming.isPending} error={confirming.error} onConfirm={confirming.mutate} />
      ) : (
        <SecretsForm
          submitLabel="Continue"
          isBusy={offering.isPending}
          error={offering.error}
          onSubmit={({ password }) => offering.mutate(password)}
        />
      )}
    </Dialog>
  )
}

export function TurnOffDialog({ onClose }: { onClose(): void }) {
  const toast = useToast()
  const turningOff = useMutation({
    mutationFn: turnOffSecondFactor,
    onSuccess: () => {
      toast.show({ message: 'Second factor turned off.' })
      onClose()
    },
  })
  return (
    <Dialog title="Turn off the second factor?" description="Your password will be enough to sign in." isOpen onOpenChange={onClose}>
      <SecretsForm
        submitLabel="Turn off"
        asksForCode
        isDangerous
        isBusy={turningOff.isPending}
        error={turningOff.error}
        onSubmit={turningOff.mutate}
      />
    </Dialog>
  )
}

export function RenewCodesDialog({ onClose }: { onClose(): void }) {
  const renewing = useMutation({ mutationFn: renewRecoveryCodes })
  return (
    <Dialog title="New recovery codes" description="The codes you have now stop working." isOpen onOpenChange={onClose}>
      {renewing.data ? (
        <RecoveryCodes codes={renewing.data.recoveryCodes} doneLabel="Done" onDone={onClose} />
      ) : (
        <SecretsForm
          submitLabel="Create codes"
          asksForCode
          isBusy={renewing.isPending}
          error={renewing.error}
          onSubmit={renewing.mutate}
        />
      )}
    </Dialog>
  )
}

/** Asks for the password, and a code where one is needed, so that an unattended browser is not enough. */
function SecretsForm(props: {
  submitLabel: string
  asksForCode?: boolean
  isDangerous?: boolean
  isBusy: boolean
  error: unknown
  onSubmit(given: { password: string; code: string }): void
}) {
  const { error, asksForCode = false } = props
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    props.onSubmit({ password: form.get('password') as string, code: (form.get('code') as string | null) ?? '' })
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <Field label="Your password" fault={faultAt(error, '/password')}>
        <PasswordInput name="password" autoComplete="current-password" required />
      </Field>
      {asksForCode && (
        <Field label="Code" hint="From your authenticator app, or a recovery code." fault={faultAt(error, '/code')}>
          <CodeInput allowsRecovery />
        </Field>
      )}
      <FormProblem error={error} fields={['/password', '/code']} />
      <Button type="submit" kind={props.isDangerous ? 'danger' : 'primary'} className="justify-self-start" isBusy={props.isBusy}>
        {props.submitLabel}
      </Button>
    </form>
  )
}
