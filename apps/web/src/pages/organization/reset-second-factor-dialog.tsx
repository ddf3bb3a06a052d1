import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Member, membersOptions } from '../../api/members.ts'
import { resetSecondFactor } from '../../api/second-factor.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useToast } from '../../ui/toast.tsx'

/** For a member who has lost the app and the recovery codes. */
export function ResetSecondFactorDialog({ member, isOpen, onClose }: { member: Member; isOpen: boolean; onClose(): void }) {
  const queryClient = useQueryClient()
  const toast = useToast()
  const resetting = useMutation({
    mutationFn: () => resetSecondFactor(member.id),
    onSuccess: async () => {
      onClose()
      toast.show({ message: `Reset the second factor of ${member.name}.` })
      await queryClient.invalidateQueries({ queryKey: membersOptions.queryKey })
    },
  })
  return (
    <ConfirmDialog
      title={`Reset the second factor of ${member.name}?`}
      confirmLabel="Reset second factor"
      isOpen={isOpen}
      onOpenChange={onClose}
      isBusy={resetting.isPending}
      error={resetting.error}
      onConfirm={() => resetting.mutate()}
    >
      {member.email} is signed out and can sign in with the password alone, unless your organization requires a second factor. Make sure that
      the request really comes from them.
    </ConfirmDialog>
  )
}
