import { useQuery } from '@tanstack/react-query'
import { type Member, membersOptions } from '../../../api/members.ts'
import { type RecipientGroup, recipientGroupsOptions } from '../../../api/reports.ts'

/** The members and groups of the organization, to name recipients. */
export function useKnownPeople(): { members: Member[] | undefined; groups: RecipientGroup[] | undefined } {
  const { data: members } = useQuery(membersOptions)
  const { data: groups } = useQuery(recipientGroupsOptions)
  return { members, groups }
}
