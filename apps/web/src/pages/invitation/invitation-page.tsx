import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { acceptInvitation, openedInvitationOptions, type OpenedInvitation } from '../../api/invitations.ts'
import { hasCode } from '../../api/request.ts'
import { sessionOptions } from '../../api/session.ts'
import { Hint } from '../../ui/notice.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { enterHome, OpenedLink } from '../sign-in/opened-link.tsx'
import { AcceptForm } from './accept-form.tsx'
import { readKeptToken } from './kept-token.ts'

/** Accepts an invitation, always with the invited e-mail address. */
export function InvitationPage() {
  useTitle('Invitation')
  const [{ token, isReturning }] = useState(readKeptToken)
  const link = useQuery(openedInvitationOptions(token))
  const { data: session } = useQuery(sessionOptions)
  // A new person has accepted the invitation by signing in with the provider.
  const hasJoined = isReturning && Boolean(session) && hasCode(link.error, 'link_not_valid')
  useEffect(() => {
    if (hasJoined) enterHome()
  }, [hasJoined])
  return <OpenedLink query={link}>{(invitation) => <Invitation token={token} invitation={invitation} />}</OpenedLink>
}

function Invitation({ token, invitation }: { token: string; invitation: OpenedInvitation }) {
  const { data: session, isPending } = useQuery(sessionOptions)
  const accepting = useMutation({
    mutationFn: (given: { name?: string; password?: string }) => acceptInvitation({ token, ...given }),
    onSuccess: enterHome,
  })
  const { organizationName, email, role, invitedByName } = invitation
  const isOwn = session?.user.email.toLowerCase() === email.toLowerCase()
  // The link doesn't say whether the address has an account, so the person chooses.
  const [chosen, setChosen] = useState<'account' | 'new'>('new')
  const who = isOwn ? 'signed-in' : chosen
  return (
    <div className="grid gap-4">
      <div className="grid gap-1">
        <h1>Join {organizationName}</h1>
        <p className="text-soft">
          {invitedByName} invited <strong className="text-ink [overflow-wrap:anywhere]">{email}</strong> to join{' '}
          {organizationName} as {role === 'admin' ? 'an admin' : 'a member'}.
        </p>
      </div>
      {session && !isOwn && (
        <Hint kind="warning">
          You’re signed in as {session.user.email}. Joining signs you in as {email} instead.
        </Hint>
      )}
      {!isPending && (
        <AcceptForm
          key={who}
          who={who}
          onChangeWho={(next) => {
            accepting.reset()
            setChosen(next)
          }}
          invitation={invitation}
          accepting={accepting}
        />
      )}
    </div>
  )
}
