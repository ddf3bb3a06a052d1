import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { editAccount } from '../../api/account.ts'
import { faultAt } from '../../api/request.ts'
import { sessionOptions, useSession } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { useToast } from '../../ui/toast.tsx'

export function Profile() {
  const { user } = useSession()
  const [name, setName] = useState(user.name)
  const toast = useToast()
  const queryClient = useQueryClient()
  const saving = useMutation({
    mutationFn: editAccount,
    onSuccess: async (account) => {
      setName(account.name)
      toast.show({ message: 'Name saved.' })
      await queryClient.invalidateQueries({ queryKey: sessionOptions.queryKey })
      await queryClient.invalidateQueries({ queryKey: ['members'] })
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    saving.mutate({ name })
  }
  return (
    <Card title="Profile">
      <form className="grid gap-4" onSubmit={submit}>
        <Field label="Name" hint="Shown to your teammates." fault={faultAt(saving.error, '/name')}>
          <TextInput
            value={name}
            onChange={(event) => setName(event.target.value)}
            autoComplete="name"
            required
            maxLength={100}
          />
        </Field>
        <FormProblem error={saving.error} fields={['/name']} />
        <Button type="submit" className="justify-self-start" disabled={name.trim() === user.name} isBusy={saving.isPending}>
          Save name
        </Button>
      </form>
    </Card>
  )
}
