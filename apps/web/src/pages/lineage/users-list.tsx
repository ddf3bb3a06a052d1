import type { ReactNode } from 'react'
import type { ReferenceLineage, TableUsers } from '../../api/lineage.ts'
import { paths } from '../../paths.ts'
import { TextLink } from '../../ui/text-link.tsx'

type Users = ReferenceLineage['usedBy'] | TableUsers

export const countUsers = ({ references, boards, automations }: Users): number => references.length + boards.length + automations.length

/** The queries, boards and automations that use something. */
export function UsersList({ users, nothing }: { users: Users; nothing: string }) {
  if (countUsers(users) === 0) return <p className="text-soft">{nothing}</p>
  return (
    <div className="grid gap-3">
      <Group name="Queries">
        {users.references.map((reference) => (
          <li key={reference.shortId} className="flex flex-wrap gap-x-2">
            <TextLink href={paths.permalink(reference.shortId)}>{reference.title}</TextLink>
            {'through' in reference && reference.through && <span className="text-soft">through {reference.through.title}</span>}
            {'isCertain' in reference && !reference.isCertain && <span className="text-soft">possibly</span>}
          </li>
        ))}
      </Group>
      <Group name="Boards">
        {users.boards.map(({ shortId, title }) => (
          <li key={shortId}><TextLink href={paths.board(shortId)}>{title}</TextLink></li>
        ))}
      </Group>
      <Group name="Automations">
        {users.automations.map(({ id, name }) => (
          <li key={id}><TextLink href={paths.automation(id)}>{name}</TextLink></li>
        ))}
      </Group>
    </div>
  )
}

function Group({ name, children }: { name: string; children: ReactNode[] }) {
  if (children.length === 0) return null
  return (
    <section aria-label={name}>
      <h3 className="text-xs font-medium text-soft">{name}</h3>
      <ul className="grid gap-0.5 [overflow-wrap:anywhere]">{children}</ul>
    </section>
  )
}
