import type { Caller } from '../../model/caller.ts'
import type { RecipientValues, Report, UnlinkedReport } from '../../model/report.ts'
import { findLatestCompletedRun } from '../../store/agent-runs/read-agent-runs.ts'
import { Refusal } from '../refusal.ts'
import { type RenderBoardDeps, renderBoard } from './render-board.ts'
import { type RenderSummaryDeps, renderSummary } from './render-summary.ts'
import type { ReportRequest } from './report-request.ts'

export type RenderDeps = RenderBoardDeps & RenderSummaryDeps

/** The document for one set of values. Without a run, a summary is that of the latest completed one. */
export async function renderReport(
  deps: RenderDeps,
  caller: Caller,
  input: Omit<ReportRequest, 'attachments'> & {
    report: Pick<Report, 'automationId' | 'content' | 'attachments'>
    agentRunId: string | null
    values: RecipientValues | null
  },
): Promise<UnlinkedReport> {
  const { content, automationId, attachments } = input.report
  if (content.kind === 'board') return renderBoard(deps, caller, { ...input, attachments, boardShortId: content.boardShortId })
  const { organizationId } = caller
  const agentRunId = input.agentRunId ?? (await findLatestCompletedRun(deps.db, { organizationId, automationId }))
  if (!agentRunId) throw new Refusal('result_not_available', 'The automation has no completed run yet. Run it, then try again.')
  return renderSummary(deps, caller, { ...input, attachments, agentRunId })
}

export const noteOf = ({ automationName }: { automationName: string }) =>
  `Sent by the automation “${automationName}” of Querypost.`
