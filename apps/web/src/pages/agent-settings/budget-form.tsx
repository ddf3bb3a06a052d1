import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { type LimitUnit, type ModelBudget, modelBudgetOptions, modelUsageOptions, saveModelBudget } from '../../api/model-budget.ts'
import { faultAt } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { useToast } from '../../ui/toast.tsx'
import { type BudgetDraft, draftOf, limitName, limitRows, limitUnits, readDraft } from './budget-draft.ts'

/** Limits in tokens and money, and the prices that turn one into the other. */
export function BudgetForm({ stored, model }: { stored: ModelBudget; model: string | undefined }) {
  const [draft, setDraft] = useState(() => draftOf(stored, model))
  const [faults, setFaults] = useState<Record<string, string>>({})
  const client = useQueryClient()
  const toast = useToast()
  const saving = useMutation({
    mutationFn: saveModelBudget,
    onSuccess: async (saved) => {
      client.setQueryData(modelBudgetOptions.queryKey, saved)
      setDraft(draftOf(saved, model))
      await client.invalidateQueries({ queryKey: modelUsageOptions.queryKey })
      toast.show({ message: 'Budget saved.' })
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const read = readDraft(draft)
    setFaults(read.faults)
    if (Object.keys(read.faults).length === 0) saving.mutate(read.budget)
  }
  return (
    <form className="grid gap-5" onSubmit={submit} noValidate aria-label="Budget">
      <Limits draft={draft} faults={faults} onChange={setDraft} />
      <Field
        label="Currency"
        className="max-w-32"
        hint="Three letters, such as EUR."
        fault={faultAt(saving.error, '/currency')}
      >
        <TextInput
          value={draft.currency}
          onChange={(event) => setDraft({ ...draft, currency: event.target.value })}
          maxLength={3}
          spellCheck={false}
          autoComplete="off"
        />
      </Field>
      <Prices draft={draft} faults={faults} onChange={setDraft} />
      <FormProblem error={saving.error} fields={['/currency']} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" isBusy={saving.isPending}>Save budget</Button>
        <Button
          kind="ghost"
          icon={<Plus />}
          onClick={() => setDraft({ ...draft, prices: [...draft.prices, { model: '', inputPrice: '', outputPrice: '' }] })}
        >
          Add price
        </Button>
      </div>
    </form>
  )
}

interface PartProps {
  draft: BudgetDraft
  faults: Record<string, string>
  onChange(draft: BudgetDraft): void
}

const unitLabels: Record<LimitUnit, string> = { tokens: 'Tokens', money: 'Money' }

function Limits({ draft, faults, onChange }: PartProps) {
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1 font-medium">Limits</legend>
      <p className="text-soft">Leave blank for no limit. Days and months end at midnight UTC.</p>
      {limitRows.map(({ scope, period, label }) => (
        <div key={label} className="grid items-start gap-x-4 gap-y-2 sm:grid-cols-[12rem_1fr_1fr]" role="group" aria-label={label}>
          <span className="sm:pt-6">{label}</span>
          {limitUnits.map((unit) => {
            const name = limitName({ scope, period, unit })
            return (
              <Field key={unit} label={unitLabels[unit]} fault={faults[name]}>
                <TextInput
                  value={draft.amounts[name] ?? ''}
                  onChange={(event) => onChange({ ...draft, amounts: { ...draft.amounts, [name]: event.target.value } })}
                  inputMode="decimal"
                  autoComplete="off"
                />
              </Field>
            )
          })}
        </div>
      ))}
    </fieldset>
  )
}

function Prices({ draft, faults, onChange }: PartProps) {
  const change = (index: number, changes: Partial<BudgetDraft['prices'][number]>) =>
    onChange({ ...draft, prices: draft.prices.map((price, at) => (at === index ? { ...price, ...changes } : price)) })
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1 font-medium">Prices</legend>
      <p className="text-soft">Per million tokens. A new price applies from today on.</p>
      {draft.prices.map((price, index) => (
        <div key={index} className="grid gap-1">
          <div className="grid grid-cols-[1fr_1fr_auto] items-end gap-3 sm:grid-cols-[2fr_1fr_1fr_auto]">
            <Field label="Priced model" className="col-span-3 sm:col-span-1">
              <TextInput
                value={price.model}
                onChange={(event) => change(index, { model: event.target.value })}
                spellCheck={false}
                autoComplete="off"
              />
            </Field>
            <Field label="Input tokens">
              <TextInput
                value={price.inputPrice}
                onChange={(event) => change(index, { inputPrice: event.target.value })}
                inputMode="decimal"
                autoComplete="off"
              />
            </Field>
            <Field label="Output tokens">
              <TextInput
                value={price.outputPrice}
                onChange={(event) => change(index, { outputPrice: event.target.value })}
                inputMode="decimal"
                autoComplete="off"
              />
            </Field>
            <IconButton
              label={`Remove price of ${price.model || 'this model'}`}
              icon={<X />}
              onClick={() => onChange({ ...draft, prices: draft.prices.filter((_, at) => at !== index) })}
            />
          </div>
          {faults[`price ${index}`] !== undefined && (
            <p className="text-xs text-danger" role="alert">{faults[`price ${index}`]}</p>
          )}
        </div>
      ))}
    </fieldset>
  )
}
