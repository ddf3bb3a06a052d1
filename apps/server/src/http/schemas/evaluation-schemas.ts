import { Type } from 'typebox'
import { questionsMax, questionTextMaxCharacters } from '../../domain/evaluations/check-question-set.ts'
import { answerChanges } from '../../domain/evaluations/compare-evaluations.ts'
import { answerStatuses, evaluationTriggers } from '../../model/question-set.ts'
import { closed, described, namedEnum, nullable, NullableNumber, NullableText, NullableTimestamp, oneOf, Timestamp } from '../schemas.ts'
import { Schedule } from './automation-schemas.ts'
import { GivenProposal } from './knowledge-schemas.ts'

/** Question sets and evaluations, in the published API and in the web app's. */
const Row = Type.Array(Type.Unsafe<unknown>({}), { maxItems: 100 })

export const TestQuestion = Type.Object(
  {
    text: Type.String({ minLength: 1, maxLength: questionTextMaxCharacters, examples: ['Which country has the most customers?'] }),
    databaseId: Type.String({ description: 'The database that the question is about.', examples: ['db_8s2k'] }),
    expectedSql: described(NullableText, 'A statement whose result is the expected one. Null if `expectedRows` is given.'),
    expectedRows: Type.Unsafe<unknown[][] | null>({
      ...Type.Array(Row, { maxItems: 1000 }),
      type: ['array', 'null'],
      description: 'The expected rows, each a list of values. Null if `expectedSql` is given.',
    }),
    isOrdered: Type.Boolean({ description: 'True if the rows must be in the expected order.' }),
    tolerance: Type.Number({ minimum: 0, maximum: 1e12, description: 'By how much numbers may differ.' }),
  },
  { title: 'TestQuestion', description: 'A question with the result that answers it.', ...closed },
)

const AnswerStatus = namedEnum(
  'AnswerStatus',
  answerStatuses,
  '`waiting`, then `running`, then `correct`, `wrong`, `failed` (the agent failed or ran no query, or the expected result is not available) or `stopped`.',
)

const EvaluationProposal = Type.Object(
  {
    kind: oneOf(['instructions', 'metric', 'table']),
    name: Type.String({ description: 'What was changed.', examples: ['Metric Net revenue'] }),
  },
  { title: 'EvaluationProposal', description: 'A change of the knowledge that was tried before it was saved.' },
)

const evaluationFields = {
  id: Type.String({ examples: ['evaluation_7d3k'] }),
  questionSetId: Type.String({ examples: ['qset_2m8v'] }),
  questionSetName: Type.String({ examples: ['Sample shop'] }),
  label: described(NullableText, 'What the person who started it wanted to remember.'),
  model: Type.String({ examples: ['claude-sonnet-4-5'] }),
  trigger: namedEnum('EvaluationTrigger', evaluationTriggers, 'What started it: a person, the API or the schedule.'),
  requestedBy: Type.Object(
    { id: Type.String({ examples: ['user_2n4k8mq7'] }), name: Type.String({ examples: ['Ada Lovelace'] }) },
    { title: 'EvaluationRequester', description: 'The person on whose behalf the model reads data.' },
  ),
  proposal: nullable(EvaluationProposal),
  baselineId: described(NullableText, 'For a proposal: the evaluation without the change, to compare with. Null if there was none.'),
  requestedAt: Timestamp,
  endedAt: described(NullableTimestamp, 'Null while it runs.'),
  score: described(NullableNumber, 'The share of correct answers among all questions, from 0 to 1. Null while it runs.'),
  counts: Type.Object(
    {
      waiting: Type.Integer(),
      running: Type.Integer(),
      correct: Type.Integer(),
      wrong: Type.Integer(),
      failed: Type.Integer(),
      stopped: Type.Integer(),
    },
    { title: 'AnswerCounts', description: 'How many questions have each status.' },
  ),
  url: Type.String({ description: 'Its page.', examples: ['http://localhost:3000/evaluations/evaluation_7d3k'] }),
}

export const Evaluation = Type.Object(evaluationFields, {
  title: 'Evaluation',
  description: 'One run of all questions of a set.',
})

const EvaluationAnswer = Type.Object(
  {
    question: TestQuestion,
    status: AnswerStatus,
    chatUrl: described(NullableText, 'The chat in which the agent answers; null while the question waits.'),
    runId: described(NullableText, 'The query run whose result was compared.'),
    sql: described(NullableText, 'The SQL of that run; null once the run is removed.'),
    explanation: described(NullableText, 'How the result differs, or why there is none. Null if it is correct.'),
  },
  { title: 'EvaluationAnswer', description: 'The answer to one question.' },
)

export const EvaluationInFull = Type.Object(
  { ...evaluationFields, answers: Type.Array(EvaluationAnswer) },
  { title: 'EvaluationInFull', description: 'An evaluation with the answers to its questions.' },
)

const questionSetFields = {
  id: Type.String({ examples: ['qset_2m8v'] }),
  name: Type.String({ examples: ['Sample shop'] }),
  questionCount: Type.Integer(),
  schedule: nullable(Schedule),
  nextDueAt: described(NullableTimestamp, 'When it is evaluated next; null without a schedule.'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  latestEvaluation: nullable(Evaluation),
}

export const ListedQuestionSet = Type.Object(questionSetFields, {
  title: 'ListedQuestionSet',
  description: 'A question set without its questions.',
})

export const QuestionSet = Type.Object(
  { ...questionSetFields, questions: Type.Array(TestQuestion) },
  { title: 'QuestionSet', description: 'Questions with known answers, to evaluate the model with.' },
)

export const GivenQuestionSet = Type.Object(
  {
    name: Type.String({ minLength: 1, examples: ['Monthly checks'] }),
    questions: Type.Array(TestQuestion, {
      maxItems: questionsMax,
      examples: [
        [{ text: 'How many orders?', databaseId: 'db_4k2n', expectedSql: 'select 1', expectedRows: null, isOrdered: false, tolerance: 0 }],
      ],
    }),
    schedule: Type.Optional(nullable(Schedule)),
  },
  { title: 'GivenQuestionSet', ...closed },
)

export const GivenEvaluation = Type.Object(
  { label: Type.Optional(Type.String({ description: 'What you want to remember about it.', examples: ['With metrics'] })) },
  { title: 'GivenEvaluation', description: 'An evaluation to start.', ...closed },
)

/** The web app's: also with a change that is not saved. */
export const TriedEvaluation = Type.Object(
  { ...GivenEvaluation.properties, proposal: Type.Optional(GivenProposal) },
  { title: 'TriedEvaluation', description: 'An evaluation to start, maybe with knowledge that is not saved.', ...closed },
)

export const Baseline = Type.Object(
  { evaluation: nullable(Evaluation) },
  { title: 'Baseline', description: 'The evaluation of the model and the knowledge as they are now; null if there is none.' },
)

const ComparedSide = Type.Object(
  {
    status: AnswerStatus,
    chatUrl: NullableText,
    runId: described(NullableText, 'The query run whose result was compared.'),
    sql: described(NullableText, 'The SQL of that run; null once the run is removed.'),
    explanation: NullableText,
  },
  { title: 'ComparedSide', description: 'The answer in one of two compared evaluations.' },
)

export const EvaluationComparison = Type.Object(
  {
    before: Evaluation,
    after: Evaluation,
    questions: Type.Array(
      Type.Object(
        {
          question: Type.String(),
          before: nullable(ComparedSide),
          after: nullable(ComparedSide),
          change: namedEnum(
            'AnswerChange',
            answerChanges,
            '`improved`: correct only after; `regressed`: correct only before; `same`; `added` or `removed`: asked by only one of them.',
          ),
        },
        { title: 'ComparedAnswer', description: 'One question in both evaluations. Null where it was not asked.' },
      ),
    ),
  },
  { title: 'EvaluationComparison', description: 'How two evaluations differ, question by question.' },
)
