import type { Caller } from '../../model/caller.ts'
import type { Db, Tx } from '../../store/db.ts'
import { findOrganization } from '../../store/people/organizations-table.ts'
import { Refusal } from '../refusal.ts'

/** Every member may share what the organization has, unless an admin has turned public links off. */
export async function requireSharing(db: Db | Tx, { organizationId }: Caller): Promise<void> {
  const organization = await findOrganization(db, organizationId)
  if (organization?.publicLinksEnabled) return
  throw new Refusal(
    'forbidden',
    'Public links are turned off for your organization. An admin can turn them on in the organization’s settings.',
  )
}
