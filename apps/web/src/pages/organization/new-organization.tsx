import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { addOrganization, enterOrganization } from '../../api/organization.ts'
import { faultAt } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { enterHome } from '../sign-in/opened-link.tsx'

/** Another organization on the same service: its own people, databases and queries. */
export function NewOrganization() {
  const [name, setName] = useState('')
  const founding = useMutation({
    mutationFn: async (chosen: string) => enterOrganization((await addOrganization(chosen)).id),
    onSuccess: enterHome,
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    founding.mutate(name)
  }
  return (
    <Card
      title="Another organization"
      description="It begins empty, with you as its admin. You go back and forth by the menu at the top left."
    >
      <form className="grid gap-2" onSubmit={submit}>
        <div className="flex flex-wrap items-end gap-2">
          <Field label="Name of the new organization" className="min-w-48 flex-1" fault={faultAt(founding.error, '/name')}>
            <TextInput
              value={name}
              onChange={(event) => setName(event.target.value)}
              autoComplete="off"
              required
              maxLength={100}
            />
          </Field>
          <Button type="submit" isBusy={founding.isPending || founding.isSuccess}>Create and go there</Button>
        </div>
        <FormProblem error={founding.error} fields={['/name']} />
      </form>
    </Card>
  )
}
