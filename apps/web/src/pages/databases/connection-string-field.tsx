import { type ClipboardEvent, type FocusEvent, useState } from 'react'
import type { ServerEngine } from '../../api/databases.ts'
import { Field } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { readConnectionString } from './read-connection-string.ts'
import { type ServerDraft, serverPlaceOf } from './server-draft.ts'

/** Fills the form from a connection string. The string is not kept, because it contains the password. */
export function ConnectionStringField({ engine, change }: { engine: ServerEngine; change(changed: Partial<ServerDraft>): void }) {
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string>()
  const [isFilled, setIsFilled] = useState(false)
  const read = (given: string) => {
    if (given.trim() === '') return
    const outcome = readConnectionString(given, engine)
    const isRead = 'draft' in outcome
    setText('')
    setIsFilled(isRead)
    setFault(isRead ? undefined : outcome.fault)
    if (isRead) change(outcome.draft)
  }
  const paste = (event: ClipboardEvent) => {
    event.preventDefault()
    read(event.clipboardData.getData('text'))
  }
  return (
    <Field
      label="Connection string"
      fault={fault}
      hint={isFilled ? 'Filled in the fields below.' : 'Optional. Paste it to fill in the fields below.'}
    >
      <TextInput
        value={text}
        placeholder={serverPlaceOf(engine).connectionStrings.example}
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
        onPaste={paste}
        onChange={(event) => setText(event.target.value)}
        onBlur={(event: FocusEvent<HTMLInputElement>) => read(event.target.value)}
      />
    </Field>
  )
}
