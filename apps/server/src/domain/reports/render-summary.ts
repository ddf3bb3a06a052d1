import type { Caller } from '../../model/caller.ts'
import type { WrittenText } from '../../model/chat.ts'
import type { UnlinkedReport } from '../../model/report.ts'
import type { Db } from '../../store/db.ts'
import { readMessages } from '../../store/chats/read-messages.ts'
import { getAutomationRun } from '../agent-runs/agent-runs.ts'
import { plainText } from '../plain-text.ts'
import { Refusal } from '../refusal.ts'
import { shortened } from '../shortened.ts'
import type { AttachmentWriters } from './attachment-writers.ts'
import { writeAttachments } from './attachments.ts'
import { type RenderedSection, renderSection, type SectionDeps } from './render-section.ts'
import type { ReportRequest } from './report-request.ts'
import { shownResults } from './shown-results.ts'

export type RenderSummaryDeps = SectionDeps & { db: Db; baseUrl: string; attachmentWriters: AttachmentWriters }

const previewMaxCharacters = 150
/** More would make the mail long; the chat has all of them. */
const maxCharts = 10

/** What an automation's run wrote, with the charts of its queries. Nothing runs again. */
export async function renderSummary(
  deps: RenderSummaryDeps,
  caller: Caller,
  request: ReportRequest & { agentRunId: string },
): Promise<UnlinkedReport> {
  const run = await getAutomationRun(deps, caller, request.agentRunId)
  const messages = (await readMessages(deps.db, { chatId: run.chatId })).filter(({ agentRunId }) => agentRunId === run.id)
  const written = messages.map(({ content }) => content).findLast((content): content is WrittenText => content.kind === 'summary')
  if (!written) throw new Refusal('automation_run_not_found', 'The run has no summary, or its chat was deleted.')
  const { text, figures = [] } = written
  const sections: RenderedSection[] = [
    {
      section: {
        kind: 'text',
        markdown: text,
        figures: figures.flatMap(({ start, end, runId }) => (runId === null ? [] : [{ start, end, link: `${deps.baseUrl}/runs/${runId}` }])),
      },
    },
  ]
  const shown = await shownResults(deps, caller, messages)
  const charts = shown.filter(({ visualization }) => visualization !== null && visualization.type !== 'table')
  for (const chart of charts.slice(0, maxCharts)) {
    const rendered = await renderSection(deps, chart, { imageId: `chart-${sections.length}` })
    if (rendered.section.kind !== 'failure') sections.push(rendered)
  }
  const attached = await writeAttachments(
    deps.attachmentWriters,
    { title: run.automationName!, results: shown },
    { kinds: request.attachments, maxBytes: request.attachmentMaxBytes, signal: request.signal },
  )
  return {
    document: {
      title: run.automationName!,
      preview: shortened(plainText(text).replaceAll(/\s+/g, ' ').trim(), previewMaxCharacters),
      link: `${deps.baseUrl}/chats/${run.chatShortId}`,
      sentAt: deps.clock.now().toISOString(),
      sections: sections.map(({ section }) => section),
      note: request.note,
    },
    images: new Map(sections.flatMap(({ image }) => (image ? [[image.id, image.bytes] as const] : []))),
    attachments: attached.files,
    linkedFiles: attached.linkedFiles,
  }
}
