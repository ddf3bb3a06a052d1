import type { GivenQuestionSet, QuestionSet } from '../../api/evaluations.ts'

/** The questions of a set as people edit them: JSON. */
export const questionsText = (set: Pick<QuestionSet, 'questions'>): string => JSON.stringify(set.questions, undefined, 2)

/** A question to start from. */
export const exampleQuestions = (databaseId: string): string =>
  questionsText({
    questions: [
      {
        text: 'How many orders were placed in 2025?',
        databaseId,
        expectedSql: 'select count(*) from orders where year(ordered_on) = 2025',
        expectedRows: null,
        isOrdered: false,
        tolerance: 0,
      },
    ],
  })

export class UnreadableQuestions extends Error {
  override readonly name = 'UnreadableQuestions'
}

/** Throws `UnreadableQuestions` if the text is not a list in JSON; the service checks the rest. */
export function readQuestions(text: string): GivenQuestionSet['questions'] {
  let questions: unknown
  try {
    questions = JSON.parse(text)
  } catch (error) {
    throw new UnreadableQuestions(`This is not JSON: ${(error as Error).message}`, { cause: error })
  }
  if (!Array.isArray(questions)) throw new UnreadableQuestions('Enter a list of questions in square brackets.')
  return questions as GivenQuestionSet['questions']
}
