import type { ClaimedSlackQuestion, SlackQuestionRecord } from '../model/slack-question.ts'
import type { Db } from '../store/db.ts'
import { claimSlackQuestions, recordSlackQuestion } from '../store/slack-questions/claim-slack-questions.ts'

/** What the worker that answers in Slack needs from a store. There are two: SQL, and the simulator's in-memory store. */
export interface SlackQuestionStore {
  /** `checkedCount` includes questions that were dropped because their channel is disabled. */
  claim(options: { leaseMs: number; count: number }): Promise<{ questions: ClaimedSlackQuestion[]; checkedCount: number }>
  /** False if the lease is lost. */
  record(record: SlackQuestionRecord): Promise<boolean>
}

export const makeSqlSlackQuestionStore = ({ db }: { db: Db }): SlackQuestionStore => ({
  claim: (options) => claimSlackQuestions(db, options),
  record: (record) => recordSlackQuestion(db, record),
})
