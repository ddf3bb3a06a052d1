import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { apiKeysOptions } from '../../api/api-keys.ts'
import { auditActionsOptions } from '../../api/audit-log.ts'
import { membersOptions } from '../../api/members.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/inputs.tsx'
import { SearchField } from '../webhooks/log-filters.tsx'
import { type AuditFilterParams, periods } from './filter-params.ts'
import { actionLabel, nameLabel } from './labels.ts'

interface Props {
  choice: AuditFilterParams
  onChange(change: Partial<Record<keyof AuditFilterParams, string>>): void
}

/** The filters of the log. Their values are kept in the URL. */
export function RecordFilters({ choice, onChange }: Props) {
  return (
    <div className="grid gap-2">
      <div className="grid grid-cols-2 gap-2 lg:grid-cols-[repeat(3,minmax(0,12rem))_minmax(0,1fr)]">
        <ActionField choice={choice} onChange={onChange} />
        <ActorField choice={choice} onChange={onChange} />
        <Field label="Period" isLabelHidden>
          <Select value={choice.period} onChange={(event) => onChange({ period: event.target.value })}>
            {periods.map(({ name, label }) => <option key={name} value={name}>{label}</option>)}
          </Select>
        </Field>
        <SearchField
          value={choice.search}
          fault={undefined}
          placeholder="Any ID"
          onChange={(search) => onChange({ search })}
        />
      </div>
      {choice.subject !== '' && (
        <p>
          <Button size="small" icon={<X />} onClick={() => onChange({ subject: '' })}>
            Only <code>{choice.subject}</code>
          </Button>
        </p>
      )}
    </div>
  )
}

/** Chooses a group of actions or a single action. */
function ActionField({ choice, onChange }: Props) {
  const { data: actions = [] } = useQuery(auditActionsOptions)
  const groups = [...new Set(actions.map(({ group }) => group))]
  return (
    <Field label="Action" isLabelHidden>
      <Select value={choice.action} onChange={(event) => onChange({ action: event.target.value })}>
        <option value="">Any action</option>
        {groups.map((group) => (
          <optgroup key={group} label={nameLabel(group)}>
            <option value={group}>{nameLabel(group)}: all</option>
            {actions
              .filter((each) => each.group === group)
              .map(({ action }) => <option key={action} value={action}>{actionLabel(action)}</option>)}
          </optgroup>
        ))}
      </Select>
    </Field>
  )
}

/** Chooses a member, including their keys and agents, or a single key. Former members can be chosen by ID in the URL. */
function ActorField({ choice, onChange }: Props) {
  const { data: members = [] } = useQuery(membersOptions)
  const { data: keys = [] } = useQuery(apiKeysOptions)
  const isKnown = [...members, ...keys].some(({ id }) => id === choice.actor)
  return (
    <Field label="Who" isLabelHidden>
      <Select value={choice.actor} onChange={(event) => onChange({ actor: event.target.value })}>
        <option value="">Anyone</option>
        {choice.actor !== '' && !isKnown && <option value={choice.actor}>{choice.actor}</option>}
        <optgroup label="Members">
          {members.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
        </optgroup>
        {keys.length > 0 && (
          <optgroup label="API keys">
            {keys.map(({ id, name, user }) => <option key={id} value={id}>{`${name} (${user.name})`}</option>)}
          </optgroup>
        )}
      </Select>
    </Field>
  )
}
