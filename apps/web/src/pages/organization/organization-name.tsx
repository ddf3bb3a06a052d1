import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { editOrganization, type Organization, organizationOptions } from '../../api/organization.ts'
import { faultAt } from '../../api/request.ts'
import { sessionOptions } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { useToast } from '../../ui/toast.tsx'

export function OrganizationName({ organization }: { organization: Organization }) {
  const [name, setName] = useState(organization.name)
  const queryClient = useQueryClient()
  const toast = useToast()
  const saving = useMutation({
    mutationFn: editOrganization,
    onSuccess: async (saved) => {
      setName(saved.name)
      queryClient.setQueryData(organizationOptions.queryKey, saved)
      toast.show({ message: 'Name saved.' })
      await queryClient.invalidateQueries({ queryKey: sessionOptions.queryKey })
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    saving.mutate({ name })
  }
  return (
    <Card title="Name">
      <form className="grid gap-4" onSubmit={submit}>
        <Field label="Organization name" isLabelHidden fault={faultAt(saving.error, '/name')}>
          <TextInput
            value={name}
            onChange={(event) => setName(event.target.value)}
            autoComplete="organization"
            required
            maxLength={100}
          />
        </Field>
        <FormProblem error={saving.error} fields={['/name']} />
        <Button
          type="submit"
          className="justify-self-start"
          disabled={name.trim() === organization.name}
          isBusy={saving.isPending}
        >
          Save name
        </Button>
      </form>
    </Card>
  )
}
