import { escapeMarkdown } from '@querypost/answers'
import type { AlertMessageKind } from '../../model/alert.ts'
import type { ReportSection, UnlinkedReport } from '../../model/report.ts'
import type { Clock } from '../../ports/clock.ts'
import { type AlertMessageInFull, findAlertMessage } from '../../store/automations/alert-states.ts'
import { findAutomation } from '../../store/automations/automations-table.ts'
import type { Db } from '../../store/db.ts'
import { mergeNewRows } from '../automations/alerts/new-rows.ts'
import { Refusal } from '../refusal.ts'

const headlines: Record<AlertMessageKind, string> = {
  fired: 'Firing',
  resolved: 'Resolved',
  no_data: 'No data',
  failing: 'Can’t be checked',
  recovered: 'Checked again',
}

/** A message of an alert as a document. Without a number, for a test: the latest one, or a sample. */
export async function renderAlert(
  deps: { db: Db; clock: Clock; baseUrl: string },
  input: { organizationId: string; automationId: string; number: number | null; note: string },
): Promise<UnlinkedReport> {
  const { automationId, number, note } = input
  const message = (await findAlertMessage(deps.db, input)) ?? (number === null ? await sampleMessage(deps, input) : undefined)
  if (!message) throw new Refusal('automation_not_found', 'The message of the alert is no longer stored.')
  const link = `${deps.baseUrl}/automations/${automationId}`
  const { kind, severity, finding, automationName } = message
  const sections: ReportSection[] = [{ kind: 'text', markdown: `${escapeMarkdown(finding)}\n\nSeverity: ${severity}`, figures: [] }]
  const rows = mergeNewRows(message.changes.flatMap((change) => change.rows ?? []))
  if (kind === 'fired' && rows) {
    sections.push({ kind: 'table', title: 'New rows', link, fields: rows.fields, rows: rows.rows, rowCount: rows.count })
  }
  const document = {
    title: `${headlines[kind]}: ${automationName}`,
    preview: finding,
    link,
    sentAt: deps.clock.now().toISOString(),
    sections,
    note,
  }
  return { document, images: new Map(), attachments: [], linkedFiles: [] }
}

async function sampleMessage(
  deps: { db: Db; clock: Clock },
  key: { organizationId: string; automationId: string },
): Promise<AlertMessageInFull | undefined> {
  const automation = await findAutomation(deps.db, key)
  return (
    automation && {
      kind: 'fired',
      severity: 'info',
      finding: 'This is a test. The alert has not fired.',
      automationName: automation.name,
      at: deps.clock.now(),
      changes: [],
    }
  )
}
