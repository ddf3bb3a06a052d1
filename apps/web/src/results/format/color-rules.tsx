import { type ColorRule, colorConditions, columnLimits, isNumeric } from '@querypost/visualization'
import { Plus, Trash2 } from 'lucide-react'
import type { Field as ResultField } from '../../api/first-rows.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Select, TextInput } from '../../ui/inputs.tsx'

type Kind = ColorRule['when']

const kindLabels: { [kind in Kind]: string } = {
  above: 'Above',
  below: 'Below',
  between: 'Between',
  equals: 'Equal to',
  contains: 'Contains',
  scale: 'Color scale',
}
const defaultColor = '#2b7a86'

/** The rules that color the cells of a column. */
export function ColorRules(props: { field: ResultField; rules: ColorRule[]; onChange(rules: ColorRule[]): void }) {
  const { field, rules, onChange } = props
  const isNumber = isNumeric(field)
  const kinds: Kind[] = isNumber ? [...colorConditions, 'scale'] : ['equals', 'contains', 'above', 'below']
  const replace = (at: number, rule: ColorRule) => onChange(rules.map((each, place) => (place === at ? rule : each)))
  const first: ColorRule = { when: isNumber ? 'above' : 'equals', value: isNumber ? 0 : '–', color: defaultColor }
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-xs font-medium">Colors</legend>
      {rules.map((rule, at) => (
        <div
          key={at}
          role="group"
          aria-label={`Rule ${at + 1}`}
          className="flex flex-wrap items-end gap-2 rounded-md border border-line p-2"
        >
          <Field label="When" isLabelHidden className="w-28">
            <Select value={rule.when} onChange={({ target }) => replace(at, withKind(rule, target.value as Kind))}>
              {kinds.map((kind) => <option key={kind} value={kind}>{kindLabels[kind]}</option>)}
            </Select>
          </Field>
          <RuleFields rule={rule} isNumber={isNumber && rule.when !== 'contains'} onChange={(changed) => replace(at, changed)} />
          <IconButton
            label={`Remove rule ${at + 1}`}
            icon={<Trash2 />}
            className="ml-auto"
            onClick={() => onChange(rules.filter((_, place) => place !== at))}
          />
        </div>
      ))}
      {rules.length < columnLimits.rules && (
        <Button size="small" className="justify-self-start" icon={<Plus />} onClick={() => onChange([...rules, first])}>
          Add color rule
        </Button>
      )}
      {rules.length > 1 && <p className="text-xs text-soft">The first rule that matches a cell colors it.</p>}
    </fieldset>
  )
}

function RuleFields({ rule, isNumber, onChange }: { rule: ColorRule; isNumber: boolean; onChange(rule: ColorRule): void }) {
  if (rule.when === 'scale') {
    return (
      <>
        <ColorInput label="Color of the lowest value" value={rule.from} onChange={(from) => onChange({ ...rule, from })} />
        <ColorInput label="Color of the highest value" value={rule.to} onChange={(to) => onChange({ ...rule, to })} />
      </>
    )
  }
  return (
    <>
      <Field label={rule.when === 'between' ? 'From' : 'Value'} isLabelHidden className="w-24">
        <TextInput
          type={isNumber ? 'number' : 'text'}
          step="any"
          value={rule.value}
          maxLength={columnLimits.textLength}
          onChange={({ target }) => {
            if (isNumber) onChange({ ...rule, value: Number(target.value) })
            else if (target.value !== '') onChange({ ...rule, value: target.value })
          }}
        />
      </Field>
      {rule.when === 'between' && (
        <Field label="To" isLabelHidden className="w-24">
          <TextInput
            type="number"
            step="any"
            value={rule.to ?? 0}
            onChange={({ target }) => onChange({ ...rule, to: Number(target.value) })}
          />
        </Field>
      )}
      <ColorInput label="Color" value={rule.color} onChange={(color) => onChange({ ...rule, color })} />
    </>
  )
}

function ColorInput({ label, value, onChange }: { label: string; value: string; onChange(color: string): void }) {
  return (
    <input
      type="color"
      aria-label={label}
      className="h-8.5 w-10 shrink-0 cursor-pointer rounded-md border border-line-strong bg-surface p-1"
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

function withKind(rule: ColorRule, kind: Kind): ColorRule {
  const color = rule.when === 'scale' ? rule.to : rule.color
  if (kind === 'scale') return { when: kind, from: '#ffffff', to: color }
  const value = rule.when === 'scale' ? 0 : rule.value
  return { when: kind, value, ...(kind === 'between' && { to: Number(value) || 0 }), color }
}
