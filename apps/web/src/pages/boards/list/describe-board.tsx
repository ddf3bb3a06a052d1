import { useMutation, useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { draftBoard } from '../../../api/boards.ts'
import { modelSettingsOptions } from '../../../api/model-settings.ts'
import { messageOf } from '../../../api/request.ts'
import { navigate } from '../../../location.tsx'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { TextInput } from '../../../ui/inputs.tsx'
import { Problem } from '../../../ui/notice.tsx'
import { keepDraft } from './kept-draft.ts'

/** Describes a board in words. The draft is shown for review, and saved only by the person. Without a model there is no such box. */
export function DescribeBoard() {
  const [text, setText] = useState('')
  const model = useQuery(modelSettingsOptions)
  const drafting = useMutation({
    mutationFn: draftBoard,
    onSuccess: (draft) => {
      keepDraft(draft)
      navigate(paths.newBoard)
    },
  })
  if (!model.data) return null
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (text.trim() !== '') drafting.mutate(text.trim())
  }
  return (
    <form className="grid gap-2" onSubmit={submit} aria-label="Describe a board">
      <div className="flex items-end gap-2">
        <Field label="Describe a board" className="flex-1">
          <TextInput
            value={text}
            maxLength={2000}
            placeholder="Revenue with weekly trend, top products and refunds by country"
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        <Button type="submit" isBusy={drafting.isPending} disabled={text.trim() === ''}>Draft board</Button>
      </div>
      {drafting.isPending && <p className="text-xs text-soft" role="status">Choosing queries. This can take a minute.</p>}
      {drafting.error && <Problem title="Couldn’t draft the board" message={messageOf(drafting.error)} />}
    </form>
  )
}
