import type { Caller } from '../../model/caller.ts'
import type { Recipient, ReportValues } from '../../model/report.ts'
import { readGroups } from '../../store/access/groups-table.ts'
import { readMembers } from '../../store/people/memberships-table.ts'
import type { QueryRunDeps } from '../agents/query-runs.ts'
import { type ListedRecipient, listRecipients } from './list-recipients.ts'
import { readValueEntries } from './read-value-entries.ts'
import type { SectionDeps } from './render-section.ts'

/** Who gets a report by e-mail now. */
export async function readRecipients(
  deps: QueryRunDeps & SectionDeps,
  caller: Caller,
  { recipients, values }: { recipients: readonly Recipient[]; values: ReportValues | null },
  options: { resultsSince: Date; signal: AbortSignal },
): Promise<ListedRecipient[]> {
  const entries = await readValueEntries(deps, caller, values, options)
  const members = await readMembers(deps.db, caller.organizationId)
  const groups = await readGroups(deps.db, caller.organizationId)
  return listRecipients({ recipients, entries, members, groups })
}
