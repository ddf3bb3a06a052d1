import { useQueryClient } from '@tanstack/react-query'
import { createReference, type Visualization } from '../../../api/references.ts'
import { runOptions } from '../../../api/runs.ts'
import { shortened } from '../../../ui/shortened.ts'
import { SaveDialog } from '../../query/save-dialog.tsx'

/** Saves the SQL of an answer as a query, with the chart that was drawn from it. */
export function SaveAnswerDialog(props: {
  runId: string
  question: string
  visualization: Visualization | undefined
  /** Why it has to be saved, if another action needs it. */
  reason?: string
  onSaved(shortId: string): void
  onClose(): void
}) {
  const client = useQueryClient()
  return (
    <SaveDialog
      initialTitle={titleOf(props.question)}
      {...(props.reason !== undefined && { description: props.reason })}
      onClose={props.onClose}
      onSave={async (input) => {
        const { queryId } = await client.ensureQueryData(runOptions(props.runId))
        const { visualization } = props
        const reference = await createReference({ queryId, ...input, ...(visualization && { visualization }) })
        void client.invalidateQueries({ queryKey: ['references'] })
        props.onSaved(reference.shortId)
      }}
    />
  )
}

const maxTitleLength = 80

/** A title for a query that answers this question. */
export function titleOf(question: string): string {
  return shortened(question.trim().split('\n')[0]!.replace(/[\s?.!…]+$/, ''), maxTitleLength)
}
