import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { type Instructions, instructionsOptions, saveInstructions } from '../../api/knowledge.ts'
import { faultAt } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { TextArea } from '../../ui/inputs.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Markdown } from '../../ui/markdown/markdown.tsx'
import { Time } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast.tsx'
import { QuestionsFirst } from './questions-first.tsx'

const example = '- Amounts are in euros.\n- Weeks start on Monday.\n- “Customers” means customers with at least one order.'
const count = new Intl.NumberFormat()

export function InstructionsTab({ isAdmin }: { isAdmin: boolean }) {
  const query = useQuery(instructionsOptions)
  return (
    <Loaded query={query}>
      {(all) => (
        <div className="grid max-w-3xl gap-6">
          {all.map((instructions) => (
            <Card
              key={instructions.database?.id ?? 'organization'}
              title={instructions.database?.name ?? 'For all databases'}
              description={
                instructions.database ? 'What is special about this database.' : 'Rules and terms that every answer should respect.'
              }
            >
              {isAdmin ? (
                // A new version, for example from an accepted suggestion, starts a new form.
                <InstructionsForm key={instructions.version} instructions={instructions} />
              ) : (
                <InstructionsText instructions={instructions} />
              )}
            </Card>
          ))}
        </div>
      )}
    </Loaded>
  )
}

function InstructionsForm({ instructions }: { instructions: Instructions }) {
  const { database, version, changed, maxCharacters } = instructions
  const [text, setText] = useState(instructions.text)
  const client = useQueryClient()
  const toast = useToast()
  const saving = useMutation({
    mutationFn: saveInstructions,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['knowledge'] })
      toast.show({ message: 'Instructions saved.' })
    },
  })
  const databaseId = database?.id ?? null
  const save = () => saving.mutate({ databaseId, text, version })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    save()
  }
  const isSame = text === instructions.text
  const label = database ? `Instructions for ${database.name}` : 'Instructions for all databases'
  return (
    <form className="grid gap-3" onSubmit={submit} noValidate aria-label={label}>
      <Field
        label={label}
        isLabelHidden
        hint={`Markdown. ${count.format(text.length)} of ${count.format(maxCharacters)} characters.`}
        fault={faultAt(saving.error, '/text')}
      >
        <TextArea
          rows={database ? 4 : 8}
          value={text}
          placeholder={database ? undefined : example}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <FormProblem error={saving.error} fields={['/text']} />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" kind="primary" isBusy={saving.isPending} disabled={isSame}>Save</Button>
        {!isSame && (
          <QuestionsFirst
            proposal={{ kind: 'instructions', databaseId, text }}
            onSave={save}
            onDiscard={() => setText(instructions.text)}
          />
        )}
        {changed && <Changed {...changed} />}
      </div>
    </form>
  )
}

function InstructionsText({ instructions }: { instructions: Instructions }) {
  const { text, changed } = instructions
  if (text === '') return <p className="text-soft">No instructions yet. You can suggest some on the Suggestions tab.</p>
  return (
    <div className="grid gap-3">
      <Markdown text={text} origin={window.location.origin} />
      {changed && <Changed {...changed} />}
    </div>
  )
}

function Changed({ by, at }: NonNullable<Instructions['changed']>) {
  return <p className="text-xs text-soft">Changed by {by.name}, <Time at={at} /></p>
}
