import { useMutation, useQueryClient } from '@tanstack/react-query'
import { accessOptions, type Group } from '../../api/access.ts'
import { messageOf } from '../../api/request.ts'
import { Select } from '../../ui/inputs.tsx'
import { useToast } from '../../ui/toast.tsx'

interface GroupLevel<Level> {
  groupId: string | null
  level: Level
}

interface Row<Level> {
  id: string
  name: string
  depth: number
  parentId?: string | null
  levels: GroupLevel<Level>[]
}

interface LevelTableProps<Level extends string> {
  what: 'database' | 'folder'
  groups: Group[]
  rows: Row<Level>[]
  levels: Record<Level, string>
  /** What everyone may do unless something else is chosen. */
  ofEveryone: Level
  ofGroups: Level
  save(change: { id: string; levels: GroupLevel<Level>[] }): Promise<unknown>
}

/** A row for each database or folder, and a column for each group. A choice is saved at once. */
export function LevelTable<Level extends string>(props: LevelTableProps<Level>) {
  if (props.rows.length === 0) return <p className="text-soft">There are no {props.what}s yet.</p>
  const columns = [{ id: null, name: 'Everyone' }, ...props.groups]
  return (
    <div className="-m-4 overflow-x-auto">
      <table className="w-full text-left">
        <thead>
          <tr className="border-b border-line text-xs text-soft">
            <th scope="col" className="min-w-40 px-4 py-2 font-medium">{props.what === 'database' ? 'Database' : 'Folder'}</th>
            {columns.map(({ id, name }) => (
              <th key={id ?? ''} scope="col" className="min-w-36 px-2 py-2 font-medium [overflow-wrap:anywhere] last:pr-4">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {props.rows.map((row) => (
            <LevelRow key={row.id} {...props} row={row} columns={columns} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function LevelRow<Level extends string>(
  props: LevelTableProps<Level> & { row: Row<Level>; columns: { id: string | null; name: string }[] },
) {
  const { row } = props
  const queryClient = useQueryClient()
  const toast = useToast()
  const saving = useMutation({
    mutationFn: props.save,
    onError: (error) => toast.show({ message: messageOf(error), isProblem: true }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: accessOptions.queryKey }),
  })
  const inherits = row.parentId !== undefined && row.parentId !== null && row.levels.length === 0
  const levelOf = (groupId: string | null): Level =>
    row.levels.find((each) => each.groupId === groupId)?.level ?? (groupId === null ? props.ofEveryone : props.ofGroups)
  const choose = (groupId: string | null, chosen: string) => {
    const others = row.levels.filter((each) => each.groupId !== groupId)
    saving.mutate({ id: row.id, levels: chosen === inherited ? [] : [...others, { groupId, level: chosen as Level }] })
  }
  return (
    <tr>
      <th scope="row" className="px-4 py-2 font-medium [overflow-wrap:anywhere]">
        <span style={{ paddingLeft: `${row.depth * 1.25}rem` }}>{row.name}</span>
      </th>
      {props.columns.map(({ id, name }) => (
        <td key={id ?? ''} className="px-2 py-2 last:pr-4">
          <Select
            aria-label={`${name}: ${row.name}`}
            value={inherits ? inherited : levelOf(id)}
            disabled={saving.isPending}
            onChange={(event) => choose(id, event.target.value)}
          >
            {row.depth > 0 && <option value={inherited}>As above</option>}
            {Object.entries<string>(props.levels).map(([level, label]) => (
              <option key={level} value={level}>{label}</option>
            ))}
          </Select>
        </td>
      ))}
    </tr>
  )
}

const inherited = 'inherited'
