import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useId, useState } from 'react'
import { accessOptions, addGroup, changeGroup, deleteGroup, type Group, type GroupContent, groupsOptions } from '../../api/access.ts'
import type { Member } from '../../api/members.ts'
import { faultAt } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Choice, TextInput } from '../../ui/inputs.tsx'

/** Creates a group, or changes or deletes one. */
export function GroupDialog(props: { group: Group | undefined; members: Member[]; onClose(): void }) {
  const { group } = props
  const formId = useId()
  const [content, setContent] = useState<GroupContent>({ name: group?.name ?? '', memberIds: group?.memberIds ?? [] })
  const queryClient = useQueryClient()
  const onSuccess = async () => {
    props.onClose()
    await Promise.all([groupsOptions, accessOptions].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })))
  }
  const saving = useMutation<unknown, Error, GroupContent>({
    mutationFn: (wanted) => (group ? changeGroup({ id: group.id, ...wanted }) : addGroup(wanted)),
    onSuccess,
  })
  const deleting = useMutation({ mutationFn: deleteGroup, onSuccess })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    saving.mutate(content)
  }
  const toggle = (id: string, isMember: boolean) => {
    const others = content.memberIds.filter((each) => each !== id)
    setContent({ ...content, memberIds: isMember ? [...others, id] : others })
  }
  const footer = (
    <>
      {group && (
        <Button kind="danger" className="mr-auto" isBusy={deleting.isPending} onClick={() => deleting.mutate(group.id)}>Delete group</Button>
      )}
      <Button onClick={props.onClose}>Cancel</Button>
      <Button kind="primary" type="submit" form={formId} isBusy={saving.isPending}>{group ? 'Save group' : 'Create group'}</Button>
    </>
  )
  return (
    <Dialog title={group ? `Edit ${group.name}` : 'New group'} isOpen onOpenChange={props.onClose} footer={footer}>
      <form id={formId} className="grid gap-4" onSubmit={submit}>
        <Field label="Name" fault={faultAt(saving.error, '/name')}>
          <TextInput
            value={content.name}
            onChange={(event) => setContent({ ...content, name: event.target.value })}
            autoComplete="off"
            required
            maxLength={100}
          />
        </Field>
        <fieldset className="grid gap-2">
          <legend className="mb-1 font-medium">Members</legend>
          {props.members.map(({ id, name, email }) => (
            <Choice
              key={id}
              label={name}
              hint={email}
              checked={content.memberIds.includes(id)}
              onChange={(event) => toggle(id, event.target.checked)}
            />
          ))}
        </fieldset>
        <FormProblem error={saving.error ?? deleting.error} fields={['/name']} />
      </form>
    </Dialog>
  )
}
