import { type SubmitEvent, useState } from 'react'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/inputs.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import { readWords } from './in-words.ts'
import { browserTimeZone, timeZones } from './time-zone.ts'
import { UnderstandingView } from './understanding-view.tsx'
import { useReferences } from './use-references.ts'

const settleMs = 250

/** An automation in a sentence: as it is written, it is said what is understood of it. */
export function WordsBox({ initial }: { initial: string }) {
  const [text, setText] = useState(initial)
  const references = useReferences()
  const settled = useSettled(text, settleMs)
  const understanding =
    references.data && settled.trim() !== ''
      ? readWords(settled, { references: references.data, timeZone: browserTimeZone, timeZones })
      : undefined
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (text.trim() !== '') navigate(paths.newAutomationFrom({ words: text.trim() }))
  }
  return (
    <Card title="In words" description="Say when it should look, at which queries, and what you want to know.">
      <form className="grid gap-3" onSubmit={submit}>
        <Field label="What should it do?">
          <TextArea
            value={text}
            onChange={(event) => setText(event.target.value)}
            rows={3}
            maxLength={2000}
            placeholder="Every weekday at 8 look at Revenue by week and tell me what changed"
          />
        </Field>
        <div aria-live="polite">{understanding && <UnderstandingView understanding={understanding} />}</div>
        <Button type="submit" kind="primary" className="justify-self-start" disabled={text.trim() === ''}>
          Fill in the form
        </Button>
      </form>
    </Card>
  )
}
