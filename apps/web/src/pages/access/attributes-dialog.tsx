import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { type SubmitEvent, useId, useState } from 'react'
import { attributesOptions, type MemberAttribute, setMemberAttributes } from '../../api/access.ts'
import type { Member } from '../../api/members.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { TextInput } from '../../ui/inputs.tsx'

const newAttribute = { name: '', value: '' }

/** Changes the attributes of a member. Those from the identity provider are only shown. */
export function AttributesDialog(props: { member: Member; attributes: MemberAttribute[]; onClose(): void }) {
  const formId = useId()
  const provided = props.attributes.filter(({ isFromProvider }) => isFromProvider)
  const own = props.attributes.filter(({ isFromProvider }) => !isFromProvider).map(({ name, value }) => ({ name, value }))
  const [entries, setEntries] = useState(own.length === 0 ? [newAttribute] : own)
  const queryClient = useQueryClient()
  const saving = useMutation({
    mutationFn: setMemberAttributes,
    onSuccess: async () => {
      props.onClose()
      await queryClient.invalidateQueries({ queryKey: attributesOptions.queryKey })
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    saving.mutate({ userId: props.member.id, attributes: Object.fromEntries(entries.map(({ name, value }) => [name, value])) })
  }
  const change = (at: number, part: Partial<typeof newAttribute>) =>
    setEntries(entries.map((entry, index) => (index === at ? { ...entry, ...part } : entry)))
  const footer = (
    <>
      <Button className="mr-auto" icon={<Plus />} onClick={() => setEntries([...entries, newAttribute])}>Add attribute</Button>
      <Button onClick={props.onClose}>Cancel</Button>
      <Button kind="primary" type="submit" form={formId} isBusy={saving.isPending}>Save attributes</Button>
    </>
  )
  return (
    <Dialog title={`Attributes of ${props.member.name}`} isOpen onOpenChange={props.onClose} footer={footer}>
      <form id={formId} className="grid gap-4" onSubmit={submit}>
        {provided.length > 0 && (
          <p className="text-soft">From the identity provider: {provided.map(({ name, value }) => `${name} = ${value}`).join(', ')}</p>
        )}
        {entries.map((entry, at) => (
          <fieldset key={at} className="grid grid-cols-[1fr_1fr_auto] items-end gap-3">
            <legend className="sr-only">Attribute {at + 1}</legend>
            <Field label="Name">
              <TextInput value={entry.name} onChange={(event) => change(at, { name: event.target.value })} autoComplete="off" required />
            </Field>
            <Field label="Value">
              <TextInput value={entry.value} onChange={(event) => change(at, { value: event.target.value })} autoComplete="off" required />
            </Field>
            <IconButton
              label={`Remove attribute ${at + 1}`}
              icon={<Trash2 />}
              onClick={() => setEntries(entries.filter((_, index) => index !== at))}
            />
          </fieldset>
        ))}
        <FormProblem error={saving.error} fields={[]} />
      </form>
    </Dialog>
  )
}
