import { TimeoutError } from '../errors.ts'
import type { Evaluation, EvaluationComparison, EvaluationInFull, ListedQuestionSet, QuestionSet } from '../generated/schemas.ts'
import { makeLimit } from '../limit.ts'
import { type List, type ListOptions, makeList } from '../list.ts'
import { callOperation, type ChangeOptions, type Input } from '../operation.ts'
import { pollUntil } from '../poll.ts'
import type { CallOptions, Transport, WriteOptions } from '../transport.ts'

export interface EvaluateOptions extends CallOptions {
  /** What you want to remember about the evaluation. */
  label?: string | undefined
}

export interface EvaluateAndWaitOptions extends EvaluateOptions {
  /** Called with the evaluation at every poll: first when it is started, last when it has ended. */
  onEvaluation?(evaluation: EvaluationInFull): void
}

export interface QuestionSets {
  /** All question sets of the organization, by name. */
  list(options?: ListOptions): List<ListedQuestionSet>
  get(questionSetId: string, options?: CallOptions): Promise<QuestionSet>
  create(input: Input<'questionSets.create'>['body'], options?: WriteOptions): Promise<QuestionSet>
  /** Replaces the name, the questions and the schedule. */
  replace(questionSetId: string, input: Input<'questionSets.replace'>['body'], options?: ChangeOptions): Promise<QuestionSet>
  /** With its evaluations. */
  delete(questionSetId: string, options?: ChangeOptions): Promise<QuestionSet>
  /** Starts an evaluation without waiting for it. */
  evaluate(questionSetId: string, options?: EvaluateOptions): Promise<EvaluationInFull>
  /** Starts an evaluation and waits for its end, whatever its score is. */
  evaluateAndWait(questionSetId: string, options?: EvaluateAndWaitOptions): Promise<EvaluationInFull>
}

export interface Evaluations {
  /** The evaluations of a question set, newest first. */
  list(questionSetId: string, options?: ListOptions): List<Evaluation>
  get(evaluationId: string, options?: CallOptions): Promise<EvaluationInFull>
  /** What has changed since an earlier evaluation, question by question. */
  compare(evaluationId: string, options: CallOptions & { with: string }): Promise<EvaluationComparison>
}

export function makeQuestionSets(transport: Transport): QuestionSets {
  return {
    list: (given = {}) =>
      makeList({ given, fetchPage: (query, options) => callOperation(transport, 'questionSets.list', { query }, options) }),
    get: (id, options) => callOperation(transport, 'questionSets.get', { params: { id } }, options),
    create: (body, options) => callOperation(transport, 'questionSets.create', { body }, options),
    replace: (id, body, options) => callOperation(transport, 'questionSets.replace', { params: { id }, body }, options),
    delete: (id, options) => callOperation(transport, 'questionSets.delete', { params: { id } }, options),
    evaluate: (id, options) => start(transport, id, options),
    evaluateAndWait: (id, options) => evaluateAndWait(transport, id, options),
  }
}

export function makeEvaluations(transport: Transport): Evaluations {
  return {
    list: (id, given = {}) =>
      makeList({
        given,
        fetchPage: (query, options) => callOperation(transport, 'evaluations.list', { params: { id }, query }, options),
      }),
    get: (id, options) => callOperation(transport, 'evaluations.get', { params: { id } }, options),
    compare: (id, { with: earlierId, ...options }) =>
      callOperation(transport, 'evaluations.compare', { params: { id }, query: { with: earlierId } }, options),
  }
}

function start(transport: Transport, id: string, { label, ...options }: EvaluateOptions = {}): Promise<EvaluationInFull> {
  const body = label === undefined ? {} : { label }
  return callOperation(transport, 'questionSets.evaluate', { params: { id }, body }, options)
}

async function evaluateAndWait(
  transport: Transport,
  questionSetId: string,
  options: EvaluateAndWaitOptions = {},
): Promise<EvaluationInFull> {
  const { signal, timeoutMs, label, onEvaluation } = options
  const message = `The evaluation did not end within ${timeoutMs} ms. It is still running: check it again, or wait longer.`
  const onTimeout = (ms: number) => new TimeoutError({ message, timeoutMs: ms })
  const limit = makeLimit({ clock: transport.clock, timeoutMs, signal, onTimeout })
  const within = { signal: limit.signal }
  try {
    const started = await start(transport, questionSetId, { ...within, label })
    onEvaluation?.(started)
    return await pollUntil(transport, limit.signal, async () => {
      const evaluation = await callOperation(transport, 'evaluations.get', { params: { id: started.id } }, within)
      onEvaluation?.(evaluation)
      return evaluation.endedAt === null ? undefined : evaluation
    })
  } finally {
    limit.end()
  }
}
