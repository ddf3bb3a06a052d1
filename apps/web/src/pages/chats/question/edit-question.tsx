import { type SubmitEvent, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { TextArea } from '../../../ui/inputs.tsx'

/** Edits a question. The old one and its answer are kept as another version. */
export function EditQuestion(props: { text: string; isAsking: boolean; onAsk(text: string): void; onCancel(): void }) {
  const [text, setText] = useState(props.text)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (text.trim() !== '') props.onAsk(text.trim())
  }
  return (
    <form className="grid gap-2" onSubmit={submit}>
      <Field label="Edit question" hint="The earlier version and its answer are kept.">
        <TextArea value={text} rows={3} maxLength={20_000} autoFocus onChange={(event) => setText(event.target.value)} />
      </Field>
      <div className="flex gap-2">
        <Button type="submit" kind="primary" disabled={text.trim() === ''} isBusy={props.isAsking}>Ask</Button>
        <Button onClick={props.onCancel}>Cancel</Button>
      </div>
    </form>
  )
}
