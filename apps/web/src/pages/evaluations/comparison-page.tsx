import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { type ComparedAnswer, type ComparedSide, comparisonOptions, type Evaluation, type EvaluationComparison, evaluationsOptions } from '../../api/evaluations.ts'
import { messageOf } from '../../api/request.ts'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { useResult } from '../../results/use-result.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/inputs.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Hint } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { describeChanges, describeEvaluation, describeScore } from './describe-score.ts'
import { ChangeBadge, StatusBadge } from './status-badge.tsx'
import { useLocation } from '../../use-location.ts'

const ResultTable = lazy(async () => ({ default: (await import('../../results/result-table.tsx')).ResultTable }))

/** `/evaluations/compare?from&to`: how two evaluations of a question set differ. */
export function ComparisonPage() {
  useTitle('Compare evaluations')
  const search = new URLSearchParams(useLocation().search)
  const [from, to] = [search.get('from') ?? '', search.get('to') ?? '']
  const query = useQuery(comparisonOptions(to, from))
  return <Loaded query={query}>{(comparison) => <ComparisonView comparison={comparison} />}</Loaded>
}

function ComparisonView({ comparison }: { comparison: EvaluationComparison }) {
  const { before, after, questions } = comparison
  const changed = questions.filter(({ change }) => change !== 'same')
  const same = questions.filter(({ change }) => change === 'same')
  return (
    <>
      <PageHead
        above={<TextLink href={paths.questionSet(after.questionSetId)}>{after.questionSetName}</TextLink>}
        title="Compare evaluations"
        description={describeChanges(questions)}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <div className="grid gap-4 sm:grid-cols-2">
          <Side label="From" chosen={before} onChoose={(from) => navigate(paths.comparison({ from, to: after.id }))} />
          <Side label="To" chosen={after} onChoose={(to) => navigate(paths.comparison({ from: before.id, to }))} />
        </div>
        {changed.length > 0 && <QuestionList label="Changed" questions={changed} isOpen />}
        {same.length > 0 && <QuestionList label="Same" questions={same} isOpen={false} />}
      </div>
    </>
  )
}

function Side({ label, chosen, onChoose }: { label: string; chosen: Evaluation; onChoose(id: string): void }) {
  const { data: listed = [] } = useInfiniteQuery(evaluationsOptions(chosen.questionSetId))
  const ended = listed.filter(({ endedAt }) => endedAt !== null)
  const choices = ended.some(({ id }) => id === chosen.id) ? ended : [chosen, ...ended]
  return (
    <Card>
      <div className="grid gap-2">
        <Field label={label}>
          <Select value={chosen.id} onChange={(event) => onChoose(event.target.value)}>
            {choices.map((each) => <option key={each.id} value={each.id}>{describeEvaluation(each)}</option>)}
          </Select>
        </Field>
        <p><TextLink href={paths.evaluation(chosen.id)}>{describeScore(chosen)}</TextLink>, {chosen.model}</p>
        {chosen.proposal && <p><Badge color="accent">Tried: {chosen.proposal.name}</Badge></p>}
      </div>
    </Card>
  )
}

function QuestionList({ label, questions, isOpen }: { label: string; questions: ComparedAnswer[]; isOpen: boolean }) {
  return (
    <Card title={label}>
      <ul className="divide-y divide-line" aria-label={label}>
        {questions.map((each) => <QuestionItem key={each.question} compared={each} isOpenAtFirst={isOpen} />)}
      </ul>
    </Card>
  )
}

function QuestionItem({ compared, isOpenAtFirst }: { compared: ComparedAnswer; isOpenAtFirst: boolean }) {
  const { question, change, before, after } = compared
  const [isOpen, setIsOpen] = useState(isOpenAtFirst)
  return (
    <li className="py-3">
      <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary className="[overflow-wrap:anywhere]">{question} <ChangeBadge change={change} /></summary>
        {isOpen && (
          <div className="mt-3 grid gap-4 lg:grid-cols-2">
            <AnswerSide label="From" question={question} answer={before} />
            <AnswerSide label="To" question={question} answer={after} />
          </div>
        )}
      </details>
    </li>
  )
}

function AnswerSide({ label, question, answer }: { label: string; question: string; answer: ComparedSide | null }) {
  if (!answer) return <p className="text-soft">{label}: not asked</p>
  const { status, chatUrl, explanation, runId, sql } = answer
  return (
    <section className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-2" aria-label={`${label}: ${question}`}>
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{label}</span> <StatusBadge status={status} />
        {chatUrl !== null && <TextLink href={new URL(chatUrl).pathname}>Open chat</TextLink>}
      </p>
      {explanation !== null && <p className="text-soft [overflow-wrap:anywhere]">{explanation}</p>}
      {sql !== null && <CodeBlock text={sql} label={`SQL of ${label}: ${question}`} canCopy={false} isWrapped />}
      {runId !== null && <AnswerRows runId={runId} label={`Result of ${label}: ${question}`} />}
    </section>
  )
}

function AnswerRows({ runId, label }: { runId: string; label: string }) {
  const { state } = useResult(runId)
  if (state.status === 'failed') return <Hint>{messageOf(state.error)}</Hint>
  if (state.status === 'loading') return <Skeleton rows={2} />
  return <Suspense fallback={<Skeleton rows={2} />}><ResultTable fields={state.result.fields} rows={state.result.rows} label={label} /></Suspense>
}
