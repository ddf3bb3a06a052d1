import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useId, useState } from 'react'
import { databasesOptions } from '../../api/databases.ts'
import { addQuestionSet, changeQuestionSet, type QuestionSet } from '../../api/evaluations.ts'
import { faultAt } from '../../api/request.ts'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { TextArea, TextInput } from '../../ui/inputs.tsx'
import { exampleQuestions, questionsText, readQuestions, UnreadableQuestions } from './question-set-draft.ts'

/** Creates a question set, or changes one. */
export function QuestionSetDialog({ set, onClose }: { set?: QuestionSet; onClose(): void }) {
  const databases = useQuery(databasesOptions())
  const [name, setName] = useState(set?.name ?? '')
  const [cron, setCron] = useState(set?.schedule?.cron ?? '')
  const [edited, setEdited] = useState(set && questionsText(set))
  const text = edited ?? exampleQuestions(databases.data?.[0]?.id ?? '')
  const client = useQueryClient()
  const formId = useId()
  const saving = useMutation({
    mutationFn: async () => {
      const timeZone = set?.schedule?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
      const schedule = cron.trim() === '' ? null : { cron: cron.trim(), timeZone }
      const given = { name: name.trim(), questions: readQuestions(text), schedule }
      return set ? changeQuestionSet(set.id, given) : addQuestionSet(given)
    },
    onSuccess: async (saved) => {
      await client.invalidateQueries({ queryKey: ['evaluations', 'sets'] })
      onClose()
      if (!set) navigate(paths.questionSet(saved.id))
    },
  })
  const unreadable = saving.error instanceof UnreadableQuestions ? saving.error : undefined
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  return (
    <Dialog
      title={set ? 'Edit question set' : 'New question set'}
      isOpen
      onOpenChange={onClose}
      width="wide"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={saving.isPending}>Save</Button>
        </>
      }
    >
      <form id={formId} className="grid gap-4" onSubmit={submit} noValidate>
        <Field label="Name" fault={faultAt(saving.error, '/name')}>
          <TextInput value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        <Field
          label="Questions"
          hint="As JSON. Each has expectedSql or expectedRows."
          fault={unreadable?.message}
        >
          <TextArea
            className="min-h-80 font-mono text-xs"
            value={text}
            spellCheck={false}
            onChange={(event) => setEdited(event.target.value)}
          />
        </Field>
        <Field
          label="Schedule"
          hint="A cron expression such as 0 2 * * * for every night. Leave it blank to run it manually."
          fault={faultAt(saving.error, '/schedule/cron')}
        >
          <TextInput value={cron} onChange={(event) => setCron(event.target.value)} />
        </Field>
        <FormProblem error={unreadable ? null : saving.error} fields={['/name', '/schedule/cron']} />
      </form>
    </Dialog>
  )
}
