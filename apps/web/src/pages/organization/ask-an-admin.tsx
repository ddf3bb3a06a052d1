import { useQuery } from '@tanstack/react-query'
import { membersOptions } from '../../api/members.ts'
import { Hint } from '../../ui/notice.tsx'

/** Tells members that only admins can make changes, and whom to ask. */
export function AskAnAdmin({ what }: { what: string }) {
  const { data } = useQuery(membersOptions)
  const names = data?.filter(({ role }) => role === 'admin').map(({ name }) => name) ?? []
  const whom = names.length > 0 ? new Intl.ListFormat('en', { type: 'disjunction' }).format(names) : 'an admin'
  return (
    <Hint>
      {what} Ask {whom}.
    </Hint>
  )
}
