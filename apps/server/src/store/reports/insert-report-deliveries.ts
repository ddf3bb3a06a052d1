import { sql } from 'kysely'
import type { RenderedReport } from '../../model/report.ts'
import type { NewReportContent, NewReportDelivery } from '../../model/report-work.ts'
import type { Tx } from '../db.ts'
import { currentTraceparent } from '../../ports/telemetry/spans.ts'
import { storeNow } from '../store-now.ts'
import { wakes } from '../wakeups.ts'
import { insertReportDownloads } from './report-downloads-table.ts'

/** Rendered documents with their images, attachments and the files that they link to. */
export async function insertReportContents(
  tx: Tx,
  { organizationId, contents }: { organizationId: string; contents: NewReportContent[] },
): Promise<void> {
  for (const { id, document, linkedFiles, ...files } of contents) {
    await tx
      .insertInto('report_contents')
      .values({ id, organization_id: organizationId, document: JSON.stringify(document), created_at: storeNow })
      .execute()
    for (const [position, file] of filesOf(files).entries()) {
      await tx.insertInto('report_files').values({ content_id: id, position, ...file }).execute()
    }
    await insertReportDownloads(tx, id, linkedFiles)
  }
}

/** Whether each is still wanted is decided when it is claimed. */
export async function insertReportDeliveries(
  tx: Tx,
  source: { organizationId: string; reportId: string; jobId: string | null; agentRunId: string | null },
  deliveries: NewReportDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return
  await sql`${wakes('report_deliveries')}
    insert into report_deliveries
      (id, organization_id, report_id, job_id, agent_run_id, purpose, recipient, user_id, channel_id, recipient_values, content_id,
        state, next_attempt_at, created_at, traceparent)
    select new.id, ${source.organizationId}, ${source.reportId}, ${source.jobId}, ${source.agentRunId}, new.purpose, new.recipient,
      new."userId", new."channelId", new.values, new."contentId", 'due',
      ${storeNow} + coalesce(new."dueInMs", 0) * interval '1 millisecond', ${storeNow}, ${currentTraceparent()}::text
    from jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb) as new
      (id text, purpose text, recipient text, "userId" text, "channelId" text, values jsonb, "contentId" text,
        "dueInMs" double precision)
    on conflict do nothing`.execute(tx)
}

const filesOf = ({ images, attachments }: Omit<RenderedReport, 'document'>) => [
  ...[...images].map(([imageId, bytes]) => ({
    image_id: imageId,
    file_name: `${imageId}.png`,
    content_type: 'image/png',
    content: Buffer.from(bytes).toString('base64'),
  })),
  ...attachments.map(({ fileName, contentType, bytes }) => ({
    image_id: null,
    file_name: fileName,
    content_type: contentType,
    content: Buffer.from(bytes).toString('base64'),
  })),
]
