import { sql } from 'kysely'
import type { Db, Tx } from '../db.ts'
import type { Schema } from '../schema.ts'
import type { Role } from '../../model/people.ts'

export interface InvitationRow {
  id: string
  organizationId: string
  organizationName: string
  email: string
  role: Role
  invitedBy: { id: string; name: string }
  createdAt: Date
  expiresAt: Date
  acceptedAt: Date | null
}

const select = (db: Db) =>
  db
    .selectFrom('invitations')
    .innerJoin('users', 'users.id', 'invitations.invited_by')
    .innerJoin('organizations', 'organizations.id', 'invitations.organization_id')
    .select(['invitations.id', 'organization_id', 'invitations.email', 'role', 'invited_by', 'expires_at', 'accepted_at'])
    .select(['invitations.created_at', 'users.name as invited_by_name', 'organizations.name as organization_name'])

function present(row: Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>): InvitationRow {
  return {
    id: row.id,
    organizationId: row.organization_id,
    organizationName: row.organization_name,
    email: row.email,
    role: row.role,
    invitedBy: { id: row.invited_by, name: row.invited_by_name },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    acceptedAt: row.accepted_at,
  }
}

/** Invitations that were not accepted, including expired ones. Newest first. */
export async function readOpenInvitations(db: Db, organizationId: string): Promise<InvitationRow[]> {
  const rows = await select(db)
    .where('organization_id', '=', organizationId)
    .where('accepted_at', 'is', null)
    .orderBy('invitations.created_at', 'desc')
    .orderBy('invitations.id')
    .execute()
  return rows.map(present)
}

export async function findInvitationByToken(db: Db, tokenHash: Uint8Array): Promise<InvitationRow | undefined> {
  const row = await select(db).where('token_hash', '=', tokenHash).executeTakeFirst()
  return row && present(row)
}

/** False if the address already has an open invitation. Expired ones are replaced. */
export async function insertInvitation(
  tx: Tx,
  invitation: Omit<Schema['invitations'], 'accepted_at'>,
): Promise<boolean> {
  await tx
    .deleteFrom('invitations')
    .where('organization_id', '=', invitation.organization_id)
    .where(sql<boolean>`lower(email) = lower(${invitation.email})`)
    .where('accepted_at', 'is', null)
    .where('expires_at', '<=', invitation.created_at)
    .execute()
  const { rows } = await sql`
    insert into invitations (id, organization_id, email, role, token_hash, invited_by, created_at, expires_at)
    values (${invitation.id}, ${invitation.organization_id}, ${invitation.email}, ${invitation.role},
      ${invitation.token_hash}::bytea, ${invitation.invited_by}, ${invitation.created_at}, ${invitation.expires_at})
    on conflict (organization_id, lower(email)) where accepted_at is null do nothing
    returning id
  `.execute(tx)
  return rows.length === 1
}

export async function deleteOpenInvitation(
  db: Db,
  options: { organizationId: string; id: string },
): Promise<{ email: string; role: Role } | undefined> {
  return db
    .deleteFrom('invitations')
    .where('id', '=', options.id)
    .where('organization_id', '=', options.organizationId)
    .where('accepted_at', 'is', null)
    .returning(['email', 'role'])
    .executeTakeFirst()
}

/** False if it was already accepted or has expired. */
export async function markInvitationAccepted(tx: Tx, options: { id: string; now: Date }): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('invitations')
    .set({ accepted_at: options.now })
    .where('id', '=', options.id)
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', options.now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Accepts all open invitations for an address and returns their organizations and roles. */
export async function acceptInvitationsOf(
  tx: Tx,
  options: { email: string; now: Date },
): Promise<{ organizationId: string; role: Role; invitationId: string }[]> {
  return tx
    .updateTable('invitations')
    .set({ accepted_at: options.now })
    .where(sql<boolean>`lower(email) = lower(${options.email})`)
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', options.now)
    .returning(['organization_id as organizationId', 'role', 'id as invitationId'])
    .execute()
}
