import { useId, useState } from 'react'
import { faultAt, messageOf } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { TextArea, TextInput } from '../../ui/inputs.tsx'
import { Problem } from '../../ui/notice.tsx'
import { useAction } from '../../ui/use-action.ts'

/** Asks for a title and a description. Keeps the input if saving fails. */
export function SaveDialog(props: {
  initialTitle?: string
  description?: string
  onSave(input: { title: string; description: string | null }): Promise<void>
  onClose(): void
}) {
  const formId = useId()
  const [title, setTitle] = useState(props.initialTitle ?? '')
  const [description, setDescription] = useState('')
  const [isTitleMissing, setIsTitleMissing] = useState(false)
  const saving = useAction()
  const missingTitle = isTitleMissing && title.trim() === '' ? 'Enter a title.' : undefined
  const titleFault = missingTitle ?? faultAt(saving.error, '/title')
  const descriptionFault = faultAt(saving.error, '/description')
  const isAtField = titleFault !== undefined || descriptionFault !== undefined
  return (
    <Dialog
      title="Save query"
      description={props.description ?? 'Saved queries get a link that you can share with your organization.'}
      isOpen
      onOpenChange={props.onClose}
      footer={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={saving.isBusy}>Save query</Button>
        </>
      }
    >
      <form
        id={formId}
        className="grid gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setIsTitleMissing(title.trim() === '')
          if (title.trim() === '') return
          saving.run(() => props.onSave({ title: title.trim(), description: description.trim() || null }))
        }}
      >
        {saving.error !== undefined && !isAtField && <Problem message={messageOf(saving.error)} />}
        <Field label="Title" fault={titleFault}>
          <TextInput value={title} onChange={(event) => setTitle(event.target.value)} autoFocus maxLength={200} />
        </Field>
        <Field label="Description" fault={descriptionFault} hint="Optional. What the query shows and what to watch for.">
          <TextArea rows={3} value={description} onChange={(event) => setDescription(event.target.value)} />
        </Field>
      </form>
    </Dialog>
  )
}
