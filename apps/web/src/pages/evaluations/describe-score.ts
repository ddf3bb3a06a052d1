import type { ComparedAnswer, Evaluation } from '../../api/evaluations.ts'
import { formatMoment } from '../../ui/time.tsx'

/** “22 of 25 correct (88%)”, or how far a running evaluation is. */
export function describeScore({ counts, score }: Pick<Evaluation, 'counts' | 'score'>): string {
  const { correct, wrong, failed, stopped, waiting, running } = counts
  const all = correct + wrong + failed + stopped + waiting + running
  if (score === null) return `${correct + wrong + failed + stopped} of ${all} answered`
  return `${correct} of ${all} correct (${Math.floor(score * 100)}%)`
}

/** “2 better, 1 worse, 22 the same”, for questions that both evaluations asked. */
export function describeChanges(questions: Pick<ComparedAnswer, 'change'>[]): string {
  const count = (wanted: ComparedAnswer['change']) => questions.filter(({ change }) => change === wanted).length
  return `${count('improved')} better, ${count('regressed')} worse, ${count('same')} the same`
}

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** For a list to choose from. */
export function describeEvaluation({ requestedAt, model, label, proposal }: Evaluation): string {
  const about = proposal ? `, tried ${proposal.name}` : label === null ? '' : `, ${label}`
  return `${formatMoment(moment, new Date(requestedAt))}, ${model}${about}`
}
