import { type SubmitEvent, useState } from 'react'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/inputs.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { parseDescription } from './parse-description.ts'
import { ParsedDescriptionView } from './parsed-description-view.tsx'
import { useParseContext } from './use-parse-context.ts'

const settleMs = 250

/** Describes an automation in a sentence and shows how it is read while typing. */
export function DescriptionBox({ initial }: { initial: string }) {
  const [text, setText] = useState(initial)
  const settled = useDebounced(text, settleMs)
  const context = useParseContext(settled)
  const parsed = context.data && settled.trim() !== '' ? parseDescription(settled, context.data) : undefined
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (text.trim() !== '') navigate(paths.newAutomationFrom({ words: text.trim() }))
  }
  return (
    <Card title="Describe it" description="Tell us when to run, which queries to check, what you want to know, and where to send it.">
      <form className="grid gap-3" onSubmit={submit}>
        <Field label="What should it do?">
          <TextArea
            value={text}
            onChange={(event) => setText(event.target.value)}
            rows={3}
            maxLength={2000}
            placeholder="Every weekday at 8, check Revenue by week and tell me what changed"
          />
        </Field>
        <div aria-live="polite">{parsed && <ParsedDescriptionView parsed={parsed} />}</div>
        <Button type="submit" kind="primary" className="justify-self-start" disabled={text.trim() === ''}>
          Fill in the form
        </Button>
      </form>
    </Card>
  )
}
