import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Square } from 'lucide-react'
import {
  comparisonOptions,
  type EvaluationAnswer,
  type EvaluationInFull,
  evaluationOptions,
  evaluationsOptions,
  stopEvaluation,
} from '../../api/evaluations.ts'
import { messageOf } from '../../api/request.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Problem } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { describeScore } from './describe-score.ts'
import { earlierOf } from './earlier-evaluation.ts'
import { ChangeBadge, StatusBadge } from './status-badge.tsx'

/** `/evaluations/:id`: one evaluation, its answers, and what changed since the one before. */
export function EvaluationPage({ id }: { id: string }) {
  const query = useQuery(evaluationOptions(id))
  useTitle(query.data ? `Evaluation of ${query.data.questionSetName}` : 'Evaluation')
  return <Loaded query={query}>{(evaluation) => <EvaluationView evaluation={evaluation} />}</Loaded>
}

function EvaluationView({ evaluation }: { evaluation: EvaluationInFull }) {
  const { role } = useSession()
  const { id, questionSetId, questionSetName, model, requestedBy, requestedAt, endedAt, answers } = evaluation
  const client = useQueryClient()
  const stopping = useMutation({
    mutationFn: () => stopEvaluation(id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['evaluations', id] }),
  })
  const isRunning = endedAt === null
  return (
    <>
      <PageHead
        above={<TextLink href={paths.questionSet(questionSetId)}>{questionSetName}</TextLink>}
        title={describeScore(evaluation)}
        description={<>{model}, by {requestedBy.name}, <RelativeTime at={requestedAt} /></>}
        actions={
          isRunning &&
          role === 'admin' && <Button icon={<Square />} isBusy={stopping.isPending} onClick={() => stopping.mutate()}>Stop</Button>
        }
      />
      <div className="grid max-w-3xl gap-6">
        {evaluation.proposal && (
          <p><Badge color="accent">Not saved</Badge> Tries a change of the knowledge: {evaluation.proposal.name}</p>
        )}
        {stopping.error && <Problem message={messageOf(stopping.error)} />}
        {!isRunning && <Changes evaluation={evaluation} />}
        <Card>
          <ul className="divide-y divide-line" aria-label="Answers">
            {answers.map((answer) => <AnswerItem key={answer.question.text} answer={answer} />)}
          </ul>
        </Card>
      </div>
    </>
  )
}

function AnswerItem({ answer }: { answer: EvaluationAnswer }) {
  const { question, status, chatUrl, explanation } = answer
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-1 p-4">
      <div className="mr-auto grid min-w-0 grow basis-64 gap-1 [overflow-wrap:anywhere]">
        {chatUrl === null ? <p>{question.text}</p> : <TextLink href={new URL(chatUrl).pathname}>{question.text}</TextLink>}
        {explanation !== null && <p className="text-soft">{explanation}</p>}
      </div>
      <StatusBadge status={status} />
    </li>
  )
}

/** What changed since the evaluation of the same set before this one, or through the change that it tries. */
function Changes({ evaluation }: { evaluation: EvaluationInFull }) {
  const history = useInfiniteQuery(evaluationsOptions(evaluation.questionSetId))
  const before = history.data && earlierOf(evaluation, history.data)
  const comparison = useQuery({ ...comparisonOptions(evaluation.id, before?.id ?? ''), enabled: before !== undefined })
  if (!before || !comparison.data) return null
  const changed = comparison.data.questions.filter(({ change }) => change === 'improved' || change === 'regressed')
  return (
    <Card
      title={evaluation.proposal ? 'Compared with the knowledge as it was' : 'Compared with the evaluation before'}
      description={
        <>
          {before.model}: <TextLink href={paths.evaluation(before.id)}>{describeScore(before)}</TextLink>.{' '}
          <TextLink href={paths.comparison({ from: before.id, to: evaluation.id })}>Compare SQL and results</TextLink>
        </>
      }
    >
      {changed.length === 0 ? (
        <p className="text-soft">No question became better or worse.</p>
      ) : (
        <ul className="grid gap-2" aria-label="Changes">
          {changed.map(({ question, change }) => (
            <li key={question} className="flex flex-wrap items-start gap-x-4 gap-y-1 [overflow-wrap:anywhere]">
              <span className="mr-auto min-w-0 grow basis-64">{question}</span>
              <ChangeBadge change={change} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
