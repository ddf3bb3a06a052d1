import type { Caller } from '../../model/caller.ts'
import type { QuestionSetContent, TestQuestion } from '../../model/question-set.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import { checkSchedule } from '../automations/check-schedule.ts'
import { getDatabaseConfig } from '../databases/get-database-config.ts'
import { badInput, checkText } from '../people/check-text.ts'
import { Refusal } from '../refusal.ts'

const nameMaxCharacters = 100
export const questionTextMaxCharacters = 2000
export const questionsMax = 200

/** Checks what a schema cannot. Statements are not run: whether they succeed is known only at an evaluation. */
export async function checkQuestionSet(
  deps: { db: Db; clock: Clock },
  caller: Caller,
  { name, questions, schedule }: QuestionSetContent,
): Promise<QuestionSetContent> {
  const now = deps.clock.now()
  const checked = {
    name: checkText({ path: '/name', text: name, maxCharacters: nameMaxCharacters }),
    schedule: schedule && checkSchedule(schedule, { path: '/schedule', now }),
    questions: checkQuestions(questions),
  }
  await checkDatabases(deps, caller, checked.questions)
  return checked
}

function checkQuestions(questions: TestQuestion[]): TestQuestion[] {
  const seen = new Set<string>()
  return questions.map((question, index) => {
    const path = `/questions/${index}`
    const text = question.text.trim()
    if (text === '') throw badInput(`${path}/text`, 'must not be empty')
    if (seen.has(text)) throw badInput(`${path}/text`, 'is asked twice; each question of a set must be different')
    seen.add(text)
    checkExpected(question, path)
    return { ...question, text }
  })
}

function checkExpected({ expectedSql, expectedRows }: TestQuestion, path: string): void {
  if ((expectedSql === null) === (expectedRows === null)) {
    throw badInput(path, 'must have either expectedSql or expectedRows, and null for the other')
  }
  if (expectedSql?.trim() === '') throw badInput(`${path}/expectedSql`, 'must not be empty')
  const width = expectedRows?.[0]?.length
  const uneven = expectedRows?.findIndex((row) => row.length !== width || row.length === 0) ?? -1
  if (uneven !== -1) throw badInput(`${path}/expectedRows/${uneven}`, 'must have as many values as the first row, and at least one')
}

async function checkDatabases(deps: { db: Db }, caller: Caller, questions: TestQuestion[]): Promise<void> {
  for (const databaseId of new Set(questions.map((question) => question.databaseId))) {
    try {
      await getDatabaseConfig(deps, caller, databaseId)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const index = questions.findIndex((question) => question.databaseId === databaseId)
      throw new Refusal(error.code, error.message, [{ path: `/questions/${index}/databaseId`, message: 'is not a database of your organization' }])
    }
  }
}
