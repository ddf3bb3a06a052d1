import { useMutation, useQueryClient } from '@tanstack/react-query'
import { LogOut, ShieldOff, UserMinus } from 'lucide-react'
import { useState } from 'react'
import { changeRole, type Member, membersOptions, removeMember } from '../../api/members.ts'
import { messageOf } from '../../api/request.ts'
import { type Role, sessionOptions, useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast.tsx'
import { ResetSecondFactorDialog } from './reset-second-factor-dialog.tsx'
import { RoleSelect } from './role-select.tsx'

export function MemberRow(props: { member: Member; canChange: boolean; isLastAdmin: boolean }) {
  const { member, canChange, isLastAdmin } = props
  const { user } = useSession()
  const isSelf = member.id === user.id
  const [openDialog, setOpenDialog] = useState<'remove' | 'demote' | 'reset'>()
  const role = useRoleChange(member, () => setOpenDialog(undefined))
  const choose = (chosen: Role) => (isSelf && chosen === 'member' ? setOpenDialog('demote') : role.change(chosen))
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="mr-auto min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium [overflow-wrap:anywhere]">
          {member.name}
          {isSelf && <Badge>You</Badge>}
          {member.hasSecondFactor && <Badge color="good">Second factor</Badge>}
        </p>
        <p className="text-xs text-soft [overflow-wrap:anywhere]">
          {member.email} · joined <RelativeTime at={member.joinedAt} />
        </p>
      </div>
      <div className="flex items-center gap-2">
        {canChange ? (
          <RoleSelect
            label={`Role of ${member.name}`}
            value={member.role}
            isDisabled={isLastAdmin || member.isRoleFromProvider || role.isPending}
            onChange={choose}
          />
        ) : (
          <Badge color={member.role === 'admin' ? 'accent' : 'plain'}>{member.role === 'admin' ? 'Admin' : 'Member'}</Badge>
        )}
        {canChange && !isSelf && member.hasSecondFactor && (
          <IconButton label={`Reset the second factor of ${member.name}`} icon={<ShieldOff />} onClick={() => setOpenDialog('reset')} />
        )}
        {(canChange || isSelf) && (
          <IconButton
            label={isSelf ? 'Leave organization' : `Remove ${member.name}`}
            icon={isSelf ? <LogOut /> : <UserMinus />}
            disabled={isLastAdmin}
            onClick={() => setOpenDialog('remove')}
          />
        )}
      </div>
      {member.isRoleFromProvider && canChange && (
        <p className="w-full text-xs text-soft">Role from the identity provider. Change it there.</p>
      )}
      {isLastAdmin && canChange && (
        <p className="w-full text-xs text-soft">The only admin. Make someone else an admin first.</p>
      )}
      <ResetSecondFactorDialog member={member} isOpen={openDialog === 'reset'} onClose={() => setOpenDialog(undefined)} />
      <RemoveDialog member={member} isSelf={isSelf} isOpen={openDialog === 'remove'} onClose={() => setOpenDialog(undefined)} />
      <ConfirmDialog
        title="Give up admin rights?"
        confirmLabel="Give up admin rights"
        isOpen={openDialog === 'demote'}
        onOpenChange={() => setOpenDialog(undefined)}
        isBusy={role.isPending}
        error={role.error}
        onConfirm={() => role.change('member')}
      >
        Only another admin can make you an admin again.
      </ConfirmDialog>
    </li>
  )
}

function useRoleChange(member: Member, onDone: () => void) {
  const queryClient = useQueryClient()
  const toast = useToast()
  const changing = useMutation({
    mutationFn: (role: Role) => changeRole({ userId: member.id, role }),
    onSuccess: async (changed) => {
      onDone()
      toast.show({ message: `${changed.name} is now ${changed.role === 'admin' ? 'an admin' : 'a member'}.` })
      await queryClient.invalidateQueries({ queryKey: membersOptions.queryKey })
      await queryClient.invalidateQueries({ queryKey: sessionOptions.queryKey })
    },
    onError: (error) => toast.show({ message: messageOf(error), isProblem: true }),
  })
  return { change: (role: Role) => changing.mutate(role), isPending: changing.isPending, error: changing.error }
}

function RemoveDialog(props: { member: Member; isSelf: boolean; isOpen: boolean; onClose(): void }) {
  const { member, isSelf } = props
  const { organization } = useSession()
  const queryClient = useQueryClient()
  const toast = useToast()
  const removing = useMutation({
    mutationFn: () => removeMember(member.id),
    onSuccess: async () => {
      // The session belonged to this organization.
      if (isSelf) return window.location.assign(paths.signIn())
      props.onClose()
      toast.show({ message: `Removed ${member.name}.` })
      await queryClient.invalidateQueries({ queryKey: membersOptions.queryKey })
    },
  })
  return (
    <ConfirmDialog
      title={isSelf ? `Leave ${organization.name}?` : `Remove ${member.name}?`}
      confirmLabel={isSelf ? 'Leave organization' : 'Remove member'}
      isOpen={props.isOpen}
      onOpenChange={props.onClose}
      isBusy={removing.isPending}
      error={removing.error}
      onConfirm={() => removing.mutate()}
    >
      {isSelf
        ? 'You’ll be signed out, and your API keys will stop working. Everything you created stays. You can return by invitation.'
        : `${member.email} is signed out immediately, and their API keys stop working. Everything they created stays.`}
    </ConfirmDialog>
  )
}
