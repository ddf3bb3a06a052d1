import { useMutation, useQuery } from '@tanstack/react-query'
import { Eye, Pencil } from 'lucide-react'
import { useState } from 'react'
import { attributesOptions, viewAs } from '../../api/access.ts'
import { membersOptions } from '../../api/members.ts'
import { messageOf } from '../../api/request.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useToast } from '../../ui/toast.tsx'
import { AttributesDialog } from './attributes-dialog.tsx'

/** The attributes of members that row rules refer to, and what each member sees. */
export function AttributesCard() {
  const members = useQuery(membersOptions)
  const attributes = useQuery(attributesOptions)
  const [editedId, setEditedId] = useState<string>()
  const { user } = useSession()
  const toast = useToast()
  const viewing = useMutation({
    mutationFn: viewAs,
    onSuccess: () => window.location.assign(paths.home),
    onError: (error) => toast.show({ message: messageOf(error), isProblem: true }),
  })
  const edited = members.data?.find(({ id }) => id === editedId)
  return (
    <Card
      title="Members"
      description="Attributes are what row rules need to know about each member, such as a region. View as a member to check what they see."
    >
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
                  {id !== user.id && (
                    <IconButton label={`View as ${name}`} icon={<Eye />} disabled={viewing.isPending} onClick={() => viewing.mutate(id)} />
                  )}
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
