import type { Member } from '../../api/members.ts'
import { Card } from '../../ui/card.tsx'
import { MemberRow } from './member-row.tsx'

export function MemberList({ members, isAdmin }: { members: Member[]; isAdmin: boolean }) {
  const adminCount = members.filter(({ role }) => role === 'admin').length
  return (
    <Card className="overflow-hidden">
      <ul className="divide-y divide-line" aria-label="Members">
        {members.map((member) => (
          <MemberRow
            key={member.id}
            member={member}
            canChange={isAdmin}
            isLastAdmin={member.role === 'admin' && adminCount === 1}
          />
        ))}
      </ul>
    </Card>
  )
}
