import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { attributesOptions } from '../../api/access.ts'
import { membersOptions } from '../../api/members.ts'
import { Card } from '../../ui/card.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { AttributesDialog } from './attributes-dialog.tsx'

/** The attributes of members that row rules refer to. */
export function AttributesCard() {
  const members = useQuery(membersOptions)
  const attributes = useQuery(attributesOptions)
  const [editedId, setEditedId] = useState<string>()
  const edited = members.data?.find(({ id }) => id === editedId)
  return (
    <Card title="Attributes" description="What row rules need to know about each member, such as a region or a customer number.">
      <Loaded query={attributes}>
        {(items) => (
          <>
            <ul className="-my-2 divide-y divide-line">
              {members.data?.map(({ id, name }) => (
                <li key={id} className="flex items-center gap-4 py-2">
                  <div className="mr-auto min-w-0">
                    <p className="font-medium [overflow-wrap:anywhere]">{name}</p>
                    <p className="text-xs text-soft [overflow-wrap:anywhere]">
                      {items.filter(({ userId }) => userId === id).map((each) => `${each.name} = ${each.value}`).join(' · ') || 'No attributes'}
                    </p>
                  </div>
                  <IconButton label={`Edit attributes of ${name}`} icon={<Pencil />} onClick={() => setEditedId(id)} />
                </li>
              ))}
            </ul>
            {edited && (
              <AttributesDialog
                member={edited}
                attributes={items.filter(({ userId }) => userId === edited.id)}
                onClose={() => setEditedId(undefined)}
              />
            )}
          </>
        )}
      </Loaded>
    </Card>
  )
}
