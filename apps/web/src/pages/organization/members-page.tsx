import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { NewInvitation } from '../../api/invitations.ts'
import { membersOptions } from '../../api/members.ts'
import { useIsAdmin } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { AskAnAdmin } from './ask-an-admin.tsx'
import { InvitationList } from './invitation-list.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { MemberList } from './member-list.tsx'

const roles =
  'Members write and run queries and automations. Admins also manage databases, webhooks, members and settings.'

/** The members of the organization and the open invitations. */
export function MembersPage() {
  useTitle('Members')
  const isAdmin = useIsAdmin()
  const members = useQuery(membersOptions)
  const [isInviting, setIsInviting] = useState(false)
  const [invited, setInvited] = useState<NewInvitation>()
  const close = () => {
    setIsInviting(false)
    setInvited(undefined)
  }
  const invite = (
    <Button kind="primary" icon={<UserPlus />} onClick={() => setIsInviting(true)}>Invite member</Button>
  )
  return (
    <div className="grid max-w-4xl gap-6 [&>.page-head]:mb-0">
      <PageHead
        title="Members"
        description={roles}
        {...(isAdmin && { actions: invite })}
      />
      {!isAdmin && <AskAnAdmin what="Only admins can invite members and change roles." />}
      <Loaded query={members}>{(items) => <MemberList members={items} isAdmin={isAdmin} />}</Loaded>
      {isAdmin && <InvitationList onRenewed={setInvited} />}
      {isAdmin && (isInviting || invited) && <InviteDialog invited={invited} onInvited={setInvited} onClose={close} />}
    </div>
  )
}
