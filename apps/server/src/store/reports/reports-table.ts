import type { Report } from '../../model/report.ts'
import type { Db, Tx } from '../db.ts'

/** No function here finds deleted reports. */
export interface ReportKey {
  organizationId: string
  automationId: string
  reportId: string
}

/** Oldest first. */
export async function readReports(
  db: Db | Tx,
  { organizationId, automationId }: Omit<ReportKey, 'reportId'>,
): Promise<Report[]> {
  return select(db)
    .where('organization_id', '=', organizationId)
    .where('automation_id', '=', automationId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function findReport(db: Db | Tx, key: ReportKey): Promise<Report | undefined> {
  return one(db, key).executeTakeFirst()
}

export async function lockReport(tx: Tx, key: ReportKey): Promise<Report | undefined> {
  return one(tx, key).forNoKeyUpdate().executeTakeFirst()
}

export async function insertReport(tx: Tx, report: Report & { organizationId: string }): Promise<void> {
  await tx
    .insertInto('reports')
    .values({
      id: report.id,
      organization_id: report.organizationId,
      automation_id: report.automationId,
      created_by: report.createdBy,
      created_at: report.createdAt,
      ...changeable(report),
    })
    .execute()
}

export async function updateReport(tx: Tx, report: Report): Promise<void> {
  await tx.updateTable('reports').set(changeable(report)).where('id', '=', report.id).execute()
}

/** It no longer needs its channel. Deliveries that are due are dropped when they are claimed. */
export async function markReportDeleted(tx: Tx, { reportId, now }: { reportId: string; now: Date }): Promise<void> {
  await tx.updateTable('reports').set({ deleted_at: now, channel_id: null }).where('id', '=', reportId).execute()
}

const changeable = (report: Report) => ({
  content: JSON.stringify(report.content),
  target: JSON.stringify(report.target),
  channel_id: report.target.kind === 'channel' ? report.target.channelId : null,
  sent_when: report.when,
  minimum_severity: report.minimumSeverity,
  recipient_values: report.values && JSON.stringify(report.values),
  attachments: JSON.stringify(report.attachments),
  is_enabled: report.isEnabled,
  updated_at: report.updatedAt,
})

const one = (db: Db | Tx, key: ReportKey) =>
  select(db)
    .where('organization_id', '=', key.organizationId)
    .where('automation_id', '=', key.automationId)
    .where('id', '=', key.reportId)

const select = (db: Db | Tx) =>
  db
    .selectFrom('reports')
    .select([
      'id',
      'automation_id as automationId',
      'content',
      'target',
      'sent_when as when',
      'minimum_severity as minimumSeverity',
      'recipient_values as values',
      'attachments',
      'is_enabled as isEnabled',
      'created_by as createdBy',
      'created_at as createdAt',
      'updated_at as updatedAt',
    ])
    .where('deleted_at', 'is', null)

/** Who created a report, even a deleted one, if still a member. */
export async function findOwnerOfReport(
  db: Db | Tx,
  { organizationId, reportId }: Omit<ReportKey, 'automationId'>,
): Promise<{ userId: string; automationId: string } | undefined> {
  return db
    .selectFrom('reports')
    .innerJoin('memberships', (join) =>
      join.onRef('memberships.user_id', '=', 'reports.created_by').onRef('memberships.organization_id', '=', 'reports.organization_id'),
    )
    .select(['memberships.user_id as userId', 'reports.automation_id as automationId'])
    .where('reports.organization_id', '=', organizationId)
    .where('reports.id', '=', reportId)
    .executeTakeFirst()
}

/** The name of the automation that a report, even a deleted one, belongs to. */
export async function findNameOfReport(
  db: Db | Tx,
  { organizationId, reportId }: Omit<ReportKey, 'automationId'>,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('reports')
    .innerJoin('automations', 'automations.id', 'reports.automation_id')
    .select('automations.name')
    .where('reports.organization_id', '=', organizationId)
    .where('reports.id', '=', reportId)
    .executeTakeFirst()
  return row?.name
}
