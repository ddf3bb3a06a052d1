import { definitions, type EngineDefinition } from '@querypost/server/engine-definitions'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { editOrganization, type Organization, organizationOptions } from '../../api/organization.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { useToast } from '../../ui/toast.tsx'
import { type CostLimitsDraft, draftOf, limitNames, readDraft } from './cost-limits-draft.ts'

/** Those that can tell how much a query would read. */
const limitedEngines = new Intl.ListFormat('en').format(
  definitions.filter((each: EngineDefinition) => each.estimatesBytes).map(({ name }) => name),
)

const labels: CostLimitsDraft = {
  perQueryBytes: 'Per query (GB)',
  perPersonDailyBytes: 'Per person and day (GB)',
  perOrganizationDailyBytes: 'Per day, everyone (GB)',
}

/** How much queries may read, for databases that charge by the bytes read. */
export function CostLimits({ organization, isReadOnly }: { organization: Organization; isReadOnly: boolean }) {
  const [draft, setDraft] = useState(() => draftOf(organization.costLimits))
  const [faults, setFaults] = useState<Partial<CostLimitsDraft>>({})
  const queryClient = useQueryClient()
  const toast = useToast()
  const saving = useMutation({
    mutationFn: editOrganization,
    onSuccess: (saved) => {
      setDraft(draftOf(saved.costLimits))
      queryClient.setQueryData(organizationOptions.queryKey, saved)
      toast.show({ message: 'Cost limits saved.' })
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const read = readDraft(draft)
    setFaults(read.faults)
    if (Object.keys(read.faults).length === 0) saving.mutate({ costLimits: read.limits })
  }
  return (
    <Card title="Cost limits">
      <form className="grid gap-4" onSubmit={submit} noValidate aria-label="Cost limits">
        <p className="text-soft">
          Queries that would read more are rejected before they run. Applies to databases that charge by the bytes read:
          {' '}{limitedEngines}. Leave blank for no limit. Days end at midnight UTC.
        </p>
        <div className="grid items-start gap-4 sm:grid-cols-3">
          {limitNames.map((name) => (
            <Field key={name} label={labels[name]} fault={faults[name]}>
              <TextInput
                value={draft[name]}
                onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
                inputMode="decimal"
                autoComplete="off"
                disabled={isReadOnly}
              />
            </Field>
          ))}
        </div>
        <FormProblem error={saving.error} fields={[]} />
        {!isReadOnly && (
          <Button type="submit" className="justify-self-start" isBusy={saving.isPending}>Save limits</Button>
        )}
      </form>
    </Card>
  )
}
