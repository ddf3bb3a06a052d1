import { useQuery } from '@tanstack/react-query'
import { groupsOfKeysOptions } from '../../api/api-keys.ts'
import { Choice } from '../../ui/inputs.tsx'

/** Whether a key sees what its member may see (null), or what some groups may see. Absent without groups to choose from. */
export function KeyGroups(props: { groupIds: readonly string[] | null; onChange(groupIds: string[] | null): void }) {
  const { groupIds, onChange } = props
  const groups = useQuery(groupsOfKeysOptions).data ?? []
  if (groups.length === 0 && groupIds === null) return null
  const toggle = (id: string, isChosen: boolean) => {
    const others = (groupIds ?? []).filter((each) => each !== id)
    onChange(isChosen ? [...others, id] : others)
  }
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 text-xs font-medium">The key sees</legend>
      <Choice type="radio" label="What its member may see" checked={groupIds === null} onChange={() => onChange(null)} />
      <Choice
        type="radio"
        label="What some groups may see"
        hint="And what everyone may see. Such a key can’t administer anything."
        checked={groupIds !== null}
        onChange={() => onChange([])}
      />
      {groupIds !== null && (
        <div className="ml-6.5 grid gap-2">
          {groups.map(({ id, name }) => (
            <Choice key={id} label={name} checked={groupIds.includes(id)} onChange={({ target }) => toggle(id, target.checked)} />
          ))}
        </div>
      )}
    </fieldset>
  )
}
