import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { boardsOptions } from '../../../api/boards.ts'
import { channelsOptions } from '../../../api/channels.ts'
import { describeTarget } from './describe-report.ts'
import { type ReportDraft, toReport } from './report-draft.ts'
import { useKnownPeople } from './use-known-people.ts'

/** Describes a report before it is saved: "the Sales board to jane@example.com". */
export function useDescribeDraft(): (draft: ReportDraft) => { target: string; content: string } {
  const people = useKnownPeople()
  const { data: channels } = useQuery(channelsOptions)
  const { data: boards } = useInfiniteQuery(boardsOptions)
  return (draft) => {
    const { target, values = null } = toReport(draft)
    const board = boards?.find(({ shortId }) => shortId === draft.boardShortId)?.title ?? 'a board'
    return {
      target: describeTarget({ target, values }, { ...people, channels: channels?.items }),
      content: draft.content === 'board' ? `Board: ${board}` : 'Summary of the run',
    }
  }
}

export function DraftTargets({ reports }: { reports: ReportDraft[] }) {
  const describe = useDescribeDraft()
  return reports.map((report, at) => {
    const { target, content } = describe(report)
    return <span key={at} className="block">{target} <span className="text-soft">{content}</span></span>
  })
}
