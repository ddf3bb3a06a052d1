import { keptMs } from '../../model/kept-times.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import { removeOldSlackQuestions } from '../../store/slack-questions/slack-questions-table.ts'
import { type Sweep, sweepOf } from '../sweep-step.ts'

/** Far longer than Slack repeats an event. A thread that is older starts a new chat. */
export const slackQuestionKeptMs = keptMs.slackQuestions

export function slackQuestionSweep({ db, clock }: { db: Db; clock: Clock }): Sweep {
  const receivedBefore = new Date(clock.now().getTime() - slackQuestionKeptMs)
  return sweepOf('slack_questions', (portion) => removeOldSlackQuestions(db, { receivedBefore, portion }))
}
