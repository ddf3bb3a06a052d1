import type { Role } from '../../api/session.ts'
import { Select } from '../../ui/inputs.tsx'

/** Outside a `Field`, `label` names it. */
export function RoleSelect(props: { label?: string; value: Role; isDisabled?: boolean; onChange(role: Role): void }) {
  return (
    <Select
      {...(props.label !== undefined && { 'aria-label': props.label })}
      className="w-28"
      value={props.value}
      disabled={props.isDisabled ?? false}
      onChange={(event) => props.onChange(event.target.value as Role)}
    >
      <option value="member">Member</option>
      <option value="admin">Admin</option>
    </Select>
  )
}
