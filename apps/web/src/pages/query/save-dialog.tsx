import { useId, useState } from 'react'
import { faultAt, messageOf } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { TextArea, TextInput } from '../../ui/inputs.tsx'
import { Problem } from '../../ui/notice.tsx'
import { useAction } from '../../ui/use-action.ts'

/** Gives a query its name, and with it a permalink. What was typed stays when the service refuses. */
export function SaveDialog(props: {
  onSave(input: { title: string; description: string | null }): Promise<void>
  onClose(): void
}) {
  const formId = useId()
  const [title, setTitle] = useState('')
  const [description, setDescription] = useState('')
  const [isUnnamed, setIsUnnamed] = useState(false)
  const saving = useAction()
  const unnamed = isUnnamed && title.trim() === '' ? 'Give it a name, so that others find it.' : undefined
  const titleFault = unnamed ?? faultAt(saving.error, '/title')
  const descriptionFault = faultAt(saving.error, '/description')
  const isAtField = titleFault !== undefined || descriptionFault !== undefined
  return (
    <Dialog
      title="Save query"
      description="It gets a permalink that you can share with everybody in your organization."
      isOpen
      onOpenChange={props.onClose}
      footer={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={saving.isBusy}>Save</Button>
        </>
      }
    >
      <form
        id={formId}
        className="grid gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setIsUnnamed(title.trim() === '')
          if (title.trim() === '') return
          saving.run(() => props.onSave({ title: title.trim(), description: description.trim() || null }))
        }}
      >
        {saving.error !== undefined && !isAtField && <Problem message={messageOf(saving.error)} />}
        <Field label="Title" fault={titleFault}>
          <TextInput value={title} onChange={(event) => setTitle(event.target.value)} autoFocus maxLength={200} />
        </Field>
        <Field label="Description" fault={descriptionFault} hint="Optional: what it shows, and what to watch for.">
          <TextArea rows={3} value={description} onChange={(event) => setDescription(event.target.value)} />
        </Field>
      </form>
    </Dialog>
  )
}
