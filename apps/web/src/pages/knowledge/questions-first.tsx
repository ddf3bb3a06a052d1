import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import {
  compareEvaluations,
  type EvaluationComparison,
  findBaseline,
  type GivenProposal,
  questionSetsOptions,
  readEvaluation,
  startEvaluation,
  stopEvaluation,
} from '../../api/evaluations.ts'
import { messageOf } from '../../api/request.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/inputs.tsx'
import { Problem } from '../../ui/notice.tsx'
import { describeChanges, describeScore } from '../evaluations/describe-score.ts'
import { ChangeBadge } from '../evaluations/status-badge.tsx'
import { type TryProgress, tryChange } from './try-change.ts'

interface QuestionsFirstProps {
  /** The change that is not saved. */
  proposal: GivenProposal
  isDisabled?: boolean
  onSave(): void
  onDiscard(): void
}

/** Offers to run a question set with a change before it is saved. Without question sets there is nothing to run. */
export function QuestionsFirst(props: QuestionsFirstProps) {
  const [isOpen, setIsOpen] = useState(false)
  const { data: sets = [] } = useQuery(questionSetsOptions)
  const usable = sets.filter(({ questionCount }) => questionCount > 0)
  if (usable.length === 0) return null
  return (
    <>
      <Button disabled={props.isDisabled} onClick={() => setIsOpen(true)}>Run the questions first</Button>
      {isOpen && <QuestionsDialog {...props} sets={usable} onClose={() => setIsOpen(false)} />}
    </>
  )
}

const pauseMs = 1_500

function QuestionsDialog(props: QuestionsFirstProps & { sets: { id: string; name: string; questionCount: number }[]; onClose(): void }) {
  const { proposal, sets, onClose, onSave, onDiscard } = props
  const [setId, setSetId] = useState(sets[0]!.id)
  const [progress, setProgress] = useState<TryProgress>()
  const [leaving] = useState(() => new AbortController())
  const running = useRef<string>(undefined)
  const trying = useMutation({
    mutationFn: () =>
      tryChange(
        { findBaseline, start: startEvaluation, read: readEvaluation, compare: compareEvaluations, pause: () => pause(leaving.signal) },
        {
          setId,
          proposal,
          onProgress(now) {
            running.current = now.evaluation.endedAt === null ? now.evaluation.id : undefined
            setProgress(now)
          },
        },
      ),
  })
  useEffect(() => () => leaving.abort(), [leaving])
  const close = () => {
    // Nobody would see what is still being answered.
    if (running.current !== undefined) void stopEvaluation(running.current).catch(() => undefined)
    onClose()
  }
  const leaveWith = (act: () => void) => () => {
    onClose()
    act()
  }
  return (
    <Dialog
      title="Run the questions first"
      description="See what your change would make better or worse, before you save it."
      isOpen
      onOpenChange={close}
      width="wide"
      footer={
        trying.data ? (
          <>
            <Button onClick={leaveWith(onDiscard)}>Discard change</Button>
            <Button kind="primary" onClick={leaveWith(onSave)}>Save change</Button>
          </>
        ) : (
          <>
            <Button onClick={close}>Cancel</Button>
            <Button kind="primary" isBusy={trying.isPending} onClick={() => trying.mutate()}>Run questions</Button>
          </>
        )
      }
    >
      <div className="grid gap-4">
        {trying.data ? (
          <Outcome comparison={trying.data} />
        ) : (
          <>
            <Field label="Question set" hint="Each question is asked once, or twice if the knowledge as it is now has not been evaluated. It counts toward the budget.">
              <Select value={setId} disabled={trying.isPending} onChange={(event) => setSetId(event.target.value)}>
                {sets.map(({ id, name, questionCount }) => <option key={id} value={id}>{name} ({questionCount})</option>)}
              </Select>
            </Field>
            {trying.isPending && progress && <Progress progress={progress} />}
          </>
        )}
        {trying.error && <Problem message={messageOf(trying.error)} />}
      </div>
    </Dialog>
  )
}

/** Rejects as soon as the signal aborts. */
function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, pauseMs)
    const leave = () => {
      clearTimeout(timer)
      reject(new DOMException('The dialog was closed.', 'AbortError'))
    }
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  })
}

const Progress = ({ progress: { step, evaluation } }: { progress: TryProgress }): ReactNode => (
  <p role="status">{step === 'as it is' ? 'Without the change' : 'With the change'}: {describeScore(evaluation)}</p>
)

function Outcome({ comparison: { before, after, questions } }: { comparison: EvaluationComparison }) {
  const changed = questions.filter(({ change }) => change !== 'same')
  return (
    <>
      <p role="status" className="font-medium">{describeChanges(questions)}</p>
      <p>Without the change: {describeScore(before)}. With it: {describeScore(after)}.</p>
      {changed.length > 0 && (
        <ul className="grid gap-2" aria-label="What would change">
          {changed.map(({ question, change }) => (
            <li key={question} className="flex flex-wrap items-start gap-x-4 gap-y-1 [overflow-wrap:anywhere]">
              <span className="mr-auto min-w-0 grow basis-64">{question}</span> <ChangeBadge change={change} />
            </li>
          ))}
        </ul>
      )}
      <p><a className="text-accent underline underline-offset-3" href={paths.comparison({ from: before.id, to: after.id })} target="_blank" rel="noreferrer">Compare SQL and results</a></p>
    </>
  )
}
