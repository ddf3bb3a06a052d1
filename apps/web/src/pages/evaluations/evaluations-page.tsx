import { useQuery } from '@tanstack/react-query'
import { ListChecks, Plus } from 'lucide-react'
import { useState } from 'react'
import { type ListedQuestionSet, questionSetsOptions } from '../../api/evaluations.ts'
import { useSession } from '../../api/session.ts'
import { documentation, paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { describeScore } from './describe-score.ts'
import { QuestionSetDialog } from './question-set-dialog.tsx'

/** `/evaluations`: question sets, with the score of the latest evaluation of each. */
export function EvaluationsPage() {
  const { role } = useSession()
  useTitle('Evaluations')
  const query = useQuery(questionSetsOptions)
  const [isAdding, setIsAdding] = useState(false)
  const add =
    role === 'admin' ? <Button icon={<Plus />} onClick={() => setIsAdding(true)}>New question set</Button> : undefined
  return (
    <>
      <PageHead
        title="Evaluations"
        description={
          <>
            How well the model answers questions whose answers you know. <TextLink href={documentation.evaluate}>How it works</TextLink>
          </>
        }
        actions={add}
      />
      <Loaded query={query}>
        {(sets) =>
          sets.length === 0 ? (
            <EmptyState title="No question sets yet" icon={<ListChecks />} action={add}>
              <p>A question set has questions with the SQL or the rows that answer them. Run it after each change of model or knowledge.</p>
            </EmptyState>
          ) : (
            <Card className="max-w-3xl">
              <ul className="divide-y divide-line" aria-label="Question sets">
                {sets.map((set) => <QuestionSetItem key={set.id} set={set} />)}
              </ul>
            </Card>
          )
        }
      </Loaded>
      {isAdding && <QuestionSetDialog onClose={() => setIsAdding(false)} />}
    </>
  )
}

function QuestionSetItem({ set }: { set: ListedQuestionSet }) {
  const { latestEvaluation: latest } = set
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-1 p-4 [overflow-wrap:anywhere]">
      <TextLink href={paths.questionSet(set.id)} className="mr-auto font-medium">{set.name}</TextLink>
      <span className="text-soft">{set.questionCount === 1 ? '1 question' : `${set.questionCount} questions`}</span>
      {latest && (
        <span>
          <TextLink href={paths.evaluation(latest.id)}>{describeScore(latest)}</TextLink>{' '}
          <span className="text-soft"><RelativeTime at={latest.requestedAt} /></span>
        </span>
      )}
    </li>
  )
}
