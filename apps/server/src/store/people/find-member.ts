import { sql } from 'kysely'
import { batchedLookup } from '../batched-lookup.ts'
import type { Db } from '../db.ts'
import { fixedStatement } from '../fixed-statement.ts'
import { prepared } from '../prepared.ts'
import type { Role } from '../../model/people.ts'

/** A user in an organization, with both names. */
export interface Member {
  user: { id: string; email: string; name: string }
  organization: { id: string; name: string; chartPalette: string[] | null }
  role: Role
}

export type FindMember = (key: { organizationId: string; userId: string }) => Promise<Member | undefined>

interface Row {
  organization_id: string
  user_id: string
  role: Role
  email: string
  name: string
  organization_name: string
  chart_palette: string[] | null
}

export function makeFindMember({ db }: { db: Db }): FindMember {
  // Ids contain no spaces, so joining them with one gives a unique key.
  const lookup = batchedLookup<string, Member>({
    async read(keys) {
      const pairs = keys.map((key) => key.split(' '))
      const { rows } = await statement(
        db,
        pairs.map(([organizationId]) => organizationId!),
        pairs.map(([, userId]) => userId!),
      )
      return new Map(rows.map((row) => [`${row.organization_id} ${row.user_id}`, present(row)]))
    },
  })
  return ({ organizationId, userId }) => lookup(`${organizationId} ${userId}`)
}

const statement = fixedStatement(
  (_db, organizationIds: string[], userIds: string[]) => sql<Row>`${prepared}
    select memberships.organization_id, memberships.user_id, memberships.role, users.email, users.name,
      organizations.name as organization_name, organizations.chart_palette
    from unnest(${organizationIds}::text[], ${userIds}::text[]) as wanted (organization_id, user_id)
    join memberships using (organization_id, user_id)
    join users on users.id = memberships.user_id
    join organizations on organizations.id = memberships.organization_id`,
)

const present = (row: Row): Member => ({
  user: { id: row.user_id, email: row.email, name: row.name },
  organization: { id: row.organization_id, name: row.organization_name, chartPalette: row.chart_palette },
  role: row.role,
})
