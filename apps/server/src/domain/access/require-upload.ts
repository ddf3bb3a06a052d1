import type { Caller } from '../../model/caller.ts'
import type { FileSettings } from '../../model/database.ts'
import type { Db } from '../../store/db.ts'
import { findOrganization } from '../../store/people/organizations-table.ts'
import { Refusal } from '../refusal.ts'

/** Admins can always upload files. Members can if an admin has allowed it. */
export async function requireUploads(db: Db, { organizationId, role }: Caller): Promise<void> {
  if (role === 'admin' || (await findOrganization(db, organizationId))?.memberUploadsEnabled) return
  throw new Refusal(
    'forbidden',
    'Uploads by members are turned off for your organization. An admin can turn them on in the organization’s settings.',
  )
}

/** Members change only the tables of the database that holds their own uploads. */
export function requireTableChanges(caller: Caller, settings: Pick<FileSettings, 'ownerId'>): void {
  if (caller.role === 'admin' || settings.ownerId === caller.userId) return
  throw new Refusal(
    'forbidden',
    'Only admins and the owner of a database can change its tables. Upload files into the database of your own uploads, or ask an admin.',
  )
}
