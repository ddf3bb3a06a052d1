import type { Judge, Observed } from '../world/observed.ts'
import { reachesItsEnd } from './1-reaches-its-end.ts'
import { whenDue } from './2-when-due.ts'
import { sameBytes } from './3-same-bytes.ts'
import { publicAddressesOnly } from './4-public-addresses.ts'
import { disabledAtTheFifth } from './5-disabled-at-the-fifth.ts'
import { isolation } from './6-isolation.ts'
import { backlogDrains } from './7-backlog-drains.ts'
import { inOrder } from './8-in-order.ts'
import { agentRuns } from './agent-runs.ts'
import { alerts } from './alerts.ts'
import { changeFeeds } from './change-feeds.ts'
import { eMails } from './e-mails.ts'
import { historyFills } from './history-fills.ts'
import { keptResults } from './kept-results.ts'
import { reports } from './reports.ts'
import { runInputs } from './run-inputs.ts'
import { runs } from './runs.ts'
import { schedules } from './schedules.ts'
import { slackQuestions } from './slack-questions.ts'

/** The judges of all invariants. The seventh comes before the first, since its message is clearer for work that never ends. */
export const judges: ((observed: Observed) => Judge)[] = [
  backlogDrains,
  reachesItsEnd,
  whenDue,
  sameBytes,
  publicAddressesOnly,
  disabledAtTheFifth,
  isolation,
  inOrder,
]

/** The judges of the other kinds of work. Faults that the world itself detects, such as unhandled rejections, are `process`. */
export const workJudges: ((observed: Observed) => Judge)[] = [runInputs, runs, agentRuns, schedules, eMails, reports, slackQuestions, keptResults, changeFeeds, alerts, historyFills]
