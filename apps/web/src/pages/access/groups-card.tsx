import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Group } from '../../api/access.ts'
import { membersOptions } from '../../api/members.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { GroupDialog } from './group-dialog.tsx'

/** The groups with their members. */
export function GroupsCard({ groups }: { groups: Group[] }) {
  const members = useQuery(membersOptions)
  const [edited, setEdited] = useState<Group | 'new'>()
  const nameOf = new Map(members.data?.map(({ id, name }) => [id, name]))
  const add = <Button icon={<Plus />} onClick={() => setEdited('new')}>New group</Button>
  return (
    <Card title="Groups" description="Members get the highest access of all their groups. Admins can always do everything." actions={add}>
      {groups.length === 0 ? (
        <p className="text-soft">There are no groups yet. Create one for each team whose access differs.</p>
      ) : (
        <ul className="-my-2 divide-y divide-line">
          {groups.map((group) => (
            <li key={group.id} className="flex items-center gap-4 py-2">
              <div className="mr-auto min-w-0">
                <p className="font-medium [overflow-wrap:anywhere]">{group.name}</p>
                <p className="text-xs text-soft [overflow-wrap:anywhere]">
                  {group.memberIds.length === 0 ? 'No members' : group.memberIds.map((id) => nameOf.get(id) ?? '…').join(', ')}
                </p>
              </div>
              <IconButton label={`Edit ${group.name}`} icon={<Pencil />} onClick={() => setEdited(group)} />
            </li>
          ))}
        </ul>
      )}
      {edited !== undefined && members.data && (
        <GroupDialog group={edited === 'new' ? undefined : edited} members={members.data} onClose={() => setEdited(undefined)} />
      )}
    </Card>
  )
}
