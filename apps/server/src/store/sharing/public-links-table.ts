import { type RawBuilder, sql } from 'kysely'
import type { ItemKey } from '../../model/page.ts'
import type { PublicLink, SharedItemKey, ViewerOptions } from '../../model/sharing/public-link.ts'
import type { Db, Tx } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storeNow } from '../store-now.ts'

export interface NewPublicLink extends SharedItemKey {
  id: string
  tokenHash: Uint8Array
  sealedToken: Uint8Array
  passwordHash: string | null
  options: ViewerOptions
  expiresAt: Date | null
  createdBy: string
  now: Date
}

export async function insertPublicLink(tx: Tx, link: NewPublicLink): Promise<void> {
  await tx
    .insertInto('public_links')
    .values({
      id: link.id,
      organization_id: link.organizationId,
      kind: link.kind,
      short_id: link.shortId,
      token_hash: link.tokenHash,
      sealed_token: link.sealedToken,
      password_hash: link.passwordHash,
      options: JSON.stringify(link.options),
      expires_at: link.expiresAt,
      created_by: link.createdBy,
      created_at: link.now,
    })
    .execute()
}

interface Row {
  id: string
  organizationId: string
  kind: SharedItemKey['kind']
  shortId: string
  title: string | null
  sealedToken: Uint8Array
  hasPassword: boolean
  options: ViewerOptions
  expiresAt: Date | null
  createdById: string
  createdByName: string
  createdAt: Date
  viewCount: number
  lastViewedAt: Date | null
}

/** The title of the link's item, null if that was deleted. */
const titleOfItem = sql<string | null>`
  case link.kind
    when 'board' then (
      select title from boards
      where short_id = link.short_id and organization_id = link.organization_id and deleted_at is null)
    else (
      select title from query_references
      where short_id = link.short_id and organization_id = link.organization_id and deleted_at is null)
  end`

const columns = sql`
  link.id, link.organization_id as "organizationId", link.kind, link.short_id as "shortId", ${titleOfItem} as title,
  link.sealed_token as "sealedToken", link.password_hash is not null as "hasPassword", link.options,
  link.expires_at as "expiresAt", link.created_by as "createdById", users.name as "createdByName", link.created_at as "createdAt",
  link.view_count as "viewCount", link.last_viewed_at as "lastViewedAt"`

const links = sql`public_links as link join users on users.id = link.created_by`

const linkOf = ({ options, createdById, createdByName, ...row }: Row): PublicLink => ({
  ...row,
  ...options,
  createdBy: { id: createdById, name: createdByName },
})

/** Newest first. Expired ones are included: they can be extended. */
export async function readPublicLinksPage(
  db: Db,
  { organizationId, count, after }: { organizationId: string; count: number; after?: ItemKey },
): Promise<PublicLink[]> {
  const rest = after ? sql`and (link.created_at, link.id) < (${after.createdAt}::timestamptz, ${after.id})` : sql``
  const { rows } = await sql<Row>`
    select ${columns} from ${links} where link.organization_id = ${organizationId} ${rest}
    order by link.created_at desc, link.id desc limit ${count}`.execute(db)
  return rows.map(linkOf)
}

export async function readPublicLinksOf(db: Db | Tx, { organizationId, kind, shortId }: SharedItemKey): Promise<PublicLink[]> {
  const { rows } = await sql<Row>`
    select ${columns} from ${links}
    where link.organization_id = ${organizationId} and link.kind = ${kind} and link.short_id = ${shortId}
    order by link.created_at desc, link.id desc`.execute(db)
  return rows.map(linkOf)
}

interface LinkKey {
  organizationId: string
  id: string
}

export const findPublicLink = (db: Db, key: LinkKey): Promise<PublicLink | undefined> => readPublicLink(db, key, sql``)

/** Locks the link until the transaction ends. */
export const lockPublicLink = (tx: Tx, key: LinkKey): Promise<PublicLink | undefined> =>
  readPublicLink(tx, key, sql`for update of link`)

async function readPublicLink(db: Db | Tx, { organizationId, id }: LinkKey, lock: RawBuilder<unknown>): Promise<PublicLink | undefined> {
  const { rows } = await sql<Row>`
    select ${columns} from ${links} where link.id = ${id} and link.organization_id = ${organizationId} ${lock}`.execute(db)
  return rows[0] && linkOf(rows[0])
}

export interface PublicLinkChanges {
  options: ViewerOptions
  expiresAt: Date | null
  /** Undefined: unchanged. */
  passwordHash?: string | null
}

export async function updatePublicLink(tx: Tx, id: string, changes: PublicLinkChanges): Promise<void> {
  const { options, expiresAt, passwordHash } = changes
  await tx
    .updateTable('public_links')
    .set({
      options: JSON.stringify(options),
      expires_at: expiresAt,
      ...(passwordHash !== undefined && { password_hash: passwordHash }),
    })
    .where('id', '=', id)
    .execute()
}

/** A revoked link leaves no trace here; the audit log keeps one. */
export async function deletePublicLink(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('public_links').where('id', '=', id).execute()
}

/** A link as its viewers need it. */
export interface OpenLink extends SharedItemKey, ViewerOptions {
  id: string
  passwordHash: string | null
}

/**
 * The link with this token, if it can be opened. Whatever is in the way (no such link, expired, turned off for the organization, item
 * deleted), the same statement finds nothing, so neither the answer nor its time tells one from another.
 */
export async function findOpenLink(db: Db, tokenHash: Uint8Array): Promise<OpenLink | undefined> {
  const { rows } = await sql<Omit<OpenLink, keyof ViewerOptions> & { options: ViewerOptions }>`${prepared}
    select link.id, link.organization_id as "organizationId", link.kind, link.short_id as "shortId",
      link.password_hash as "passwordHash", link.options
    from public_links as link
    join organizations on organizations.id = link.organization_id
    where link.token_hash = ${tokenHash} and organizations.public_links_enabled
      and (link.expires_at is null or link.expires_at > ${storeNow})
      and ${titleOfItem} is not null`.execute(db)
  const row = rows[0]
  return row && { id: row.id, organizationId: row.organizationId, kind: row.kind, shortId: row.shortId, passwordHash: row.passwordHash, ...row.options }
}

export async function countLinkView(db: Db, { id, now }: { id: string; now: Date }): Promise<void> {
  await sql`
    update public_links set view_count = view_count + 1, last_viewed_at = greatest(last_viewed_at, ${now}::timestamptz)
    where id = ${id}`.execute(db)
}
