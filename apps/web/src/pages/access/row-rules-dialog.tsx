import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { type SubmitEvent, useId, useState } from 'react'
import { type AccessMatrix, accessOptions, type RowRule, type RowRuleKind, setRowRules } from '../../api/access.ts'
import { faultAt } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Select, TextInput } from '../../ui/inputs.tsx'

const kindLabels: Record<RowRuleKind, string> = {
  parameter: 'Parameter of queries',
  setting: 'Setting of the session',
  role: 'Role of the session',
  user: 'User of the session',
}
const nameLabels: Partial<Record<RowRuleKind, string>> = { parameter: 'Parameter name', setting: 'Setting name' }
const newRule: RowRule = { attribute: '', kind: 'parameter', name: '', automationValue: null }

/** Changes which attributes decide about the rows of a database. */
export function RowRulesDialog(props: { database: AccessMatrix['databases'][number]; onClose(): void }) {
  const { id, name, rowRules, rowRuleKinds } = props.database
  const formId = useId()
  const [rules, setRules] = useState<RowRule[]>(rowRules.length === 0 ? [newRule] : rowRules)
  const queryClient = useQueryClient()
  const saving = useMutation({
    mutationFn: setRowRules,
    onSuccess: async () => {
      props.onClose()
      await queryClient.invalidateQueries({ queryKey: accessOptions.queryKey })
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    saving.mutate({ id, rules })
  }
  const change = (at: number, part: Partial<RowRule>) => setRules(rules.map((rule, index) => (index === at ? { ...rule, ...part } : rule)))
  const fields = rules.flatMap((_, at) => ['attribute', 'kind', 'name', 'automationValue'].map((field) => `/rules/${at}/${field}`))
  const footer = (
    <>
      <Button className="mr-auto" icon={<Plus />} onClick={() => setRules([...rules, newRule])}>Add rule</Button>
      <Button onClick={props.onClose}>Cancel</Button>
      <Button kind="primary" type="submit" form={formId} isBusy={saving.isPending}>Save row rules</Button>
    </>
  )
  return (
    <Dialog title={`Row rules of ${name}`} isOpen onOpenChange={props.onClose} footer={footer}>
      <form id={formId} className="grid gap-4" onSubmit={submit}>
        <p className="text-soft">
          A member without the attribute can’t query the database. A parameter is locked only in queries that have it; to protect every query,
          use a session and policies in the database.
        </p>
        {rules.map((rule, at) => (
          <fieldset key={at} className="grid gap-3 border-t border-line pt-3 sm:grid-cols-2">
            <legend className="sr-only">Rule {at + 1}</legend>
            <Field label="Attribute" fault={faultAt(saving.error, `/rules/${at}/attribute`)}>
              <TextInput value={rule.attribute} onChange={(event) => change(at, { attribute: event.target.value })} autoComplete="off" required />
            </Field>
            <Field label="Decides" fault={faultAt(saving.error, `/rules/${at}/kind`)}>
              <Select
                value={rule.kind}
                onChange={(event) => {
                  const kind = event.target.value as RowRuleKind
                  change(at, { kind, name: nameLabels[kind] === undefined ? null : (rule.name ?? '') })
                }}
              >
                {rowRuleKinds.map((kind) => (
                  <option key={kind} value={kind}>{kindLabels[kind]}</option>
                ))}
              </Select>
            </Field>
            {nameLabels[rule.kind] !== undefined && (
              <Field label={nameLabels[rule.kind]!} fault={faultAt(saving.error, `/rules/${at}/name`)}>
                <TextInput value={rule.name ?? ''} onChange={(event) => change(at, { name: event.target.value })} autoComplete="off" required />
              </Field>
            )}
            <Field
              label="Value for automations"
              hint="Leave blank to keep automations and reports out."
              fault={faultAt(saving.error, `/rules/${at}/automationValue`)}
            >
              <TextInput
                value={rule.automationValue ?? ''}
                onChange={(event) => change(at, { automationValue: event.target.value === '' ? null : event.target.value })}
                autoComplete="off"
              />
            </Field>
            <Button className="justify-self-start sm:col-span-2" icon={<Trash2 />} onClick={() => setRules(rules.filter((_, index) => index !== at))}>
              Remove rule {at + 1}
            </Button>
          </fieldset>
        ))}
        {rules.length === 0 && <p>Everyone sees the same rows.</p>}
        <FormProblem error={saving.error} fields={fields} />
      </form>
    </Dialog>
  )
}
