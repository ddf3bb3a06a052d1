import { sql } from 'kysely'
import type { ReportAddress } from '../../model/report.ts'
import type { Db, Tx } from '../db.ts'
import { storeNow, storeNowPlus } from '../store-now.ts'

/** Adds addresses that are not known yet, and returns those, which have to be asked to confirm. E-mails are in lower case. */
export async function insertReportAddresses(
  tx: Tx,
  options: { organizationId: string; emails: string[]; requestedBy: string },
): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    insert into report_addresses (organization_id, email, requested_by, requested_at)
    select ${options.organizationId}, email, ${options.requestedBy}, ${storeNow}
    from unnest(${options.emails}::text[]) as email
    on conflict do nothing
    returning email`.execute(tx)
  return rows.map(({ email }) => email)
}

export async function readReportAddresses(
  db: Db | Tx,
  options: { organizationId: string; emails: string[] },
): Promise<ReportAddress[]> {
  if (options.emails.length === 0) return []
  return db
    .selectFrom('report_addresses')
    .select(['email', 'state', 'requested_at as requestedAt', 'confirmed_at as confirmedAt'])
    .where('organization_id', '=', options.organizationId)
    .where('email', 'in', options.emails)
    .orderBy('email')
    .execute()
}

/** Asks an address again, even one that bounced. False if it is confirmed, or was asked less than `waitMs` ago. */
export async function renewAddressRequest(
  tx: Tx,
  key: { organizationId: string; email: string; waitMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('report_addresses')
    .set({ state: 'unconfirmed', requested_at: storeNow })
    .where('organization_id', '=', key.organizationId)
    .where('email', '=', key.email)
    .where('state', '<>', 'confirmed')
    .where('requested_at', '<=', storeNowPlus(-key.waitMs))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** An address that bounced can be confirmed again. */
export async function confirmReportAddress(
  tx: Tx,
  key: { organizationId: string; email: string; now: Date },
): Promise<'confirmed' | 'already' | 'unknown'> {
  const { numUpdatedRows } = await tx
    .updateTable('report_addresses')
    .set({ state: 'confirmed', confirmed_at: key.now })
    .where('organization_id', '=', key.organizationId)
    .where('email', '=', key.email)
    .where('state', '<>', 'confirmed')
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return 'confirmed'
  const [known] = await readReportAddresses(tx, { ...key, emails: [key.email] })
  return known ? 'already' : 'unknown'
}

/** False if it was marked before, or belongs to a member. */
export async function markAddressBounced(tx: Tx, key: { organizationId: string; email: string }): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('report_addresses')
    .set({ state: 'bounced' })
    .where('organization_id', '=', key.organizationId)
    .where('email', '=', key.email)
    .where('state', '<>', 'bounced')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** False if the recipient had unsubscribed before. */
export async function insertUnsubscription(tx: Tx, options: { reportId: string; email: string; now: Date }): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('report_unsubscriptions')
    .values({ report_id: options.reportId, email: options.email, unsubscribed_at: options.now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function deleteUnsubscription(tx: Tx, options: { reportId: string; email: string }): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('report_unsubscriptions')
    .where('report_id', '=', options.reportId)
    .where('email', '=', options.email)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** In lower case, in order. */
export async function readUnsubscribed(db: Db, reportId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('report_unsubscriptions')
    .select('email')
    .where('report_id', '=', reportId)
    .orderBy('email')
    .execute()
  return rows.map(({ email }) => email)
}
