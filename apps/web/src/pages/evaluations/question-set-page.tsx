import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { useState } from 'react'
import { deleteQuestionSet, type Evaluation, evaluationsOptions, type QuestionSet, questionSetOptions, startEvaluation } from '../../api/evaluations.ts'
import { messageOf } from '../../api/request.ts'
import { useSession } from '../../api/session.ts'
import { ManagedBadge, useManagedUrl } from '../../items/managed-badge.tsx'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Problem } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Pager } from '../../ui/pager.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { describeScore } from './describe-score.ts'
import { newestTwo } from './earlier-evaluation.ts'
import { QuestionSetDialog } from './question-set-dialog.tsx'

/** `/evaluations/sets/:id`: a question set, its evaluations and its questions. */
export function QuestionSetPage({ id }: { id: string }) {
  const query = useQuery(questionSetOptions(id))
  useTitle(query.data?.name ?? 'Question set')
  return <Loaded query={query}>{(set) => <QuestionSetView set={set} />}</Loaded>
}

function QuestionSetView({ set }: { set: QuestionSet }) {
  const { role } = useSession()
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const managedUrl = useManagedUrl('question_set', set.id)
  const close = () => setOpen(undefined)
  const client = useQueryClient()
  const starting = useMutation({
    mutationFn: () => startEvaluation(set.id),
    onSuccess: ({ id }) => navigate(paths.evaluation(id)),
  })
  const deleting = useMutation({
    mutationFn: () => deleteQuestionSet(set.id),
    onSuccess: async () => {
      navigate(paths.evaluations)
      await client.invalidateQueries({ queryKey: ['evaluations', 'sets'] })
    },
  })
  return (
    <>
      <PageHead
        above={<TextLink href={paths.evaluations}>Evaluations</TextLink>}
        title={<>{set.name} <ManagedBadge url={managedUrl} /></>}
        description={set.schedule ? `Runs on the schedule ${set.schedule.cron} (${set.schedule.timeZone})` : undefined}
        actions={
          role === 'admin' && (
            <>
              <Button kind="primary" icon={<Play />} isBusy={starting.isPending} onClick={() => starting.mutate()}>Run evaluation</Button>
              {managedUrl === undefined && (
                <>
                  <Button onClick={() => setOpen('edit')}>Edit</Button>
                  <Button onClick={() => setOpen('delete')}>Delete</Button>
                </>
              )}
            </>
          )
        }
      />
      <div className="grid max-w-3xl gap-6">
        {starting.error && <Problem message={messageOf(starting.error)} />}
        <History setId={set.id} />
        <Card title={set.questionCount === 1 ? '1 question' : `${set.questionCount} questions`}>
          <ol className="grid list-decimal gap-3 pl-6" aria-label="Questions">
            {set.questions.map(({ text, expectedSql }) => (
              <li key={text} className="[overflow-wrap:anywhere]">
                {text}
                {expectedSql !== null && <pre className="mt-1 text-xs whitespace-pre-wrap text-soft">{expectedSql}</pre>}
              </li>
            ))}
          </ol>
        </Card>
      </div>
      {open === 'edit' && <QuestionSetDialog set={set} onClose={close} />}
      <ConfirmDialog
        title={`Delete “${set.name}”?`}
        confirmLabel="Delete"
        isOpen={open === 'delete'}
        onOpenChange={close}
        isBusy={deleting.isPending}
        error={deleting.error}
        onConfirm={() => deleting.mutate()}
      >
        <p>Its questions and evaluations are deleted, too.</p>
      </ConfirmDialog>
    </>
  )
}

function History({ setId }: { setId: string }) {
  const query = useInfiniteQuery(evaluationsOptions(setId))
  const compared = newestTwo(query.data ?? [])
  return (
    <Card title="Evaluations" {...(compared && { description: <TextLink href={paths.comparison(compared)}>Compare evaluations</TextLink> })}>
      <Loaded query={query}>
        {(evaluations) =>
          evaluations.length === 0 ? (
            <p className="text-soft">Not run yet. The score is the share of correct answers.</p>
          ) : (
            <ul className="grid gap-2" aria-label="Evaluations">
              {evaluations.map((each) => <EvaluationItem key={each.id} evaluation={each} />)}
            </ul>
          )
        }
      </Loaded>
      <Pager query={query} />
    </Card>
  )
}

function EvaluationItem({ evaluation }: { evaluation: Evaluation }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 [overflow-wrap:anywhere]">
      <TextLink href={paths.evaluation(evaluation.id)} className="mr-auto">{describeScore(evaluation)}</TextLink>
      {evaluation.proposal && <Badge color="accent">Tried: {evaluation.proposal.name}</Badge>}
      <span className="text-soft">
        {evaluation.model}, <RelativeTime at={evaluation.requestedAt} />
      </span>
    </li>
  )
}
