import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { editOrganization, type Organization, organizationOptions } from '../../api/organization.ts'
import { messageOf } from '../../api/request.ts'
import { signInOptionsOptions } from '../../api/session.ts'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Problem } from '../../ui/notice.tsx'
import { Switch } from '../../ui/switch.tsx'

type Requirement = 'secondFactorRequired' | 'ssoRequired'

const questions: Record<Requirement, { title: string; confirmLabel: string; text: string }> = {
  secondFactorRequired: {
    title: 'Require a second factor?',
    confirmLabel: 'Require second factor',
    text: 'Members without one are signed out now. They set it up when they next sign in. API keys keep working.',
  },
  ssoRequired: {
    title: 'Require single sign-on?',
    confirmLabel: 'Require single sign-on',
    text: 'Members who signed in with a password are signed out now. Admins with a second factor can still use their password.',
  },
}

/** How members must sign in. */
export function SignInPolicy({ organization, isReadOnly }: { organization: Organization; isReadOnly: boolean }) {
  const [confirming, setConfirming] = useState<Requirement>()
  const queryClient = useQueryClient()
  const { data: options } = useQuery(signInOptionsOptions)
  const switching = useMutation({
    mutationFn: editOrganization,
    onSuccess: (saved) => queryClient.setQueryData(organizationOptions.queryKey, saved),
    onSettled: () => setConfirming(undefined),
  })
  // Turning a requirement on signs people out, so it needs a confirmation.
  const change = (requirement: Requirement) => (isOn: boolean) =>
    isOn ? setConfirming(requirement) : switching.mutate({ [requirement]: false })
  const isDisabled = isReadOnly || switching.isPending
  const question = confirming && questions[confirming]
  return (
    <Card title="Sign-in">
      <div className="grid gap-4">
        <Switch
          label="Require a second factor"
          hint="Members who sign in with a password also enter a code of an authenticator app."
          isOn={organization.secondFactorRequired}
          isDisabled={isDisabled}
          onChange={change('secondFactorRequired')}
        />
        {(options?.oidc || organization.ssoRequired) && (
          <Switch
            label="Require single sign-on"
            hint={`Members sign in with ${options?.oidc?.name ?? 'the identity provider'} instead of a password.`}
            isOn={organization.ssoRequired}
            isDisabled={isDisabled}
            onChange={change('ssoRequired')}
          />
        )}
        {switching.isError && <Problem message={messageOf(switching.error)} />}
      </div>
      {question && (
        <ConfirmDialog
          title={question.title}
          confirmLabel={question.confirmLabel}
          isOpen
          onOpenChange={() => setConfirming(undefined)}
          isBusy={switching.isPending}
          onConfirm={() => switching.mutate({ [confirming]: true })}
        >
          {question.text}
        </ConfirmDialog>
      )}
    </Card>
  )
}
