import { useQuery } from '@tanstack/react-query'
import type { Database } from '../../api/databases.ts'
import { organizationOptions } from '../../api/organization.ts'
import { useSession } from '../../api/session.ts'

/** Whether the database holds the uploads of a member. */
export const isOfMember = (database: Database) => ownerOf(database) !== undefined

const ownerOf = ({ settings }: Database) => ('ownerId' in settings ? settings.ownerId : undefined)

/** Whether the person can upload files into a database of their own. */
export function useCanUpload(): boolean {
  const { role } = useSession()
  const { data: organization } = useQuery(organizationOptions)
  return role === 'admin' || organization?.memberUploadsEnabled === true
}

/** Whether the person can import, rename and delete tables of the database. */
export function useCanChangeTables(database: Database): boolean {
  const { role, user } = useSession()
  const canUpload = useCanUpload()
  return role === 'admin' || (canUpload && ownerOf(database) === user.id)
}
