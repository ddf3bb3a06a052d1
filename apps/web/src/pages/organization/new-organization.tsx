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

/** Creates another organization on the same service, with its own members, databases and queries. */
export function NewOrganization() {
  const [name, setName] = useState('')
  const creating = useMutation({
    mutationFn: async (chosen: string) => enterOrganization((await addOrganization(chosen)).id),
    onSuccess: () => enterHome(),
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    creating.mutate(name)
  }
  return (
    <Card
      title="New organization"
      description="It starts empty, with you as admin. Switch between organizations in the menu at the top left."
    >
      <form className="grid gap-2" onSubmit={submit}>
        <div className="flex flex-wrap items-end gap-2">
          <Field label="New organization name" className="min-w-48 flex-1" fault={faultAt(creating.error, '/name')}>
            <TextInput
              value={name}
              onChange={(event) => setName(event.target.value)}
              autoComplete="off"
              required
              maxLength={100}
            />
          </Field>
          <Button type="submit" isBusy={creating.isPending || creating.isSuccess}>Create organization</Button>
        </div>
        <FormProblem error={creating.error} fields={['/name']} />
      </form>
    </Card>
  )
}
