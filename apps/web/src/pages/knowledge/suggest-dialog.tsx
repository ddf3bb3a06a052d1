import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useId, useState } from 'react'
import { databasesOptions } from '../../api/databases.ts'
import { suggestKnowledge } from '../../api/knowledge.ts'
import { faultAt } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Select, TextArea } from '../../ui/inputs.tsx'
import { useToast } from '../../ui/toast.tsx'

/** Suggests something that agents should know. An admin decides about it. */
export function SuggestDialog(props: {
  initialText?: string
  /** The answer that it is about. */
  about?: { chat: { shortId: string; messageNumber: number }; question: string }
  onClose(): void
}) {
  const { initialText = '', about, onClose } = props
  const [text, setText] = useState(initialText)
  const [databaseId, setDatabaseId] = useState('')
  const databases = useQuery(databasesOptions())
  const client = useQueryClient()
  const toast = useToast()
  const formId = useId()
  const sending = useMutation({
    mutationFn: suggestKnowledge,
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['knowledge', 'suggestions'] })
      toast.show({ message: 'Suggestion sent. An admin will decide about it.' })
      onClose()
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const target = { kind: 'instructions', databaseId: databaseId === '' ? null : databaseId } as const
    sending.mutate({ text: text.trim(), target, ...(about && { chat: about.chat }) })
  }
  return (
    <Dialog
      title="Teach agents"
      description={about ? `After “${about.question}”` : 'Agents learn it once an admin has accepted it.'}
      isOpen
      onOpenChange={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={sending.isPending} disabled={text.trim() === ''}>
            Send suggestion
          </Button>
        </>
      }
    >
      <form id={formId} className="grid gap-4" onSubmit={submit} noValidate>
        <Field
          label="Agents should know"
          hint="One fact or rule, such as “Revenue never includes canceled orders.”"
          fault={faultAt(sending.error, '/text')}
        >
          <TextArea value={text} maxLength={1000} onChange={(event) => setText(event.target.value)} />
        </Field>
        <Field label="Applies to">
          <Select value={databaseId} onChange={(event) => setDatabaseId(event.target.value)}>
            <option value="">All databases</option>
            {databases.data?.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
          </Select>
        </Field>
        <FormProblem error={sending.error} fields={['/text']} />
      </form>
    </Dialog>
  )
}
