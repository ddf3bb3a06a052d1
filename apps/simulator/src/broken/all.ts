import { bodyReserialized } from './body-reserialized.ts'
import { brokenAgentRuns } from './agent-runs.ts'
import { brokenAlerts } from './alerts.ts'
import { brokenChangeFeeds } from './change-feeds.ts'
import type { BrokenEngine } from './broken-engine.ts'
import { deliveredBeforeSending } from './delivered-before-sending.ts'
import { brokenEMails } from './e-mails.ts'
import { brokenHistoryFills } from './history-fills.ts'
import { heldDropped } from './held-dropped.ts'
import { leaseNeverExpires } from './lease-never-expires.ts'
import { leaseNotHonored } from './lease-not-honored.ts'
import { looksOnlyWhenWoken } from './looks-only-when-woken.ts'
import { noDeadline } from './no-deadline.ts'
import { noFencing } from './no-fencing.ts'
import { noLanes } from './no-lanes.ts'
import { brokenKeptResults } from './kept-results.ts'
import { brokenReports } from './reports.ts'
import { brokenRunInputs } from './run-inputs.ts'
import { brokenRuns } from './runs.ts'
import { brokenSeveralStores } from './several-stores.ts'
import { brokenSchedules } from './schedules.ts'
import { brokenSlackQuestions } from './slack-questions.ts'
import { signatureReused } from './signature-reused.ts'
import { checkedOnlyAtSave, firstAnswerChecked, redirectsFollowed } from './wrong-addresses.ts'
import { countNeverReset, countsAttempts, disabledAtTheFourth, disabledAtTheSixth, notifiedTwice } from './wrong-counting.ts'
import { givenUpBlocks, nextBeforeTheEnd, orderedByDueTime, orderIgnored, retryLetsTheNextPass } from './wrong-order.ts'
import { busyTakenForGone, orderedTakenOver } from './wrong-presence.ts'
import { givesUpEarly, nineAttempts, retriesTooEarly } from './wrong-waits.ts'

export const brokenEngines: readonly BrokenEngine[] = [
  noFencing,
  leaseNotHonored,
  leaseNeverExpires,
  countNeverReset,
  countsAttempts,
  disabledAtTheFourth,
  disabledAtTheSixth,
  notifiedTwice,
  heldDropped,
  retriesTooEarly,
  nineAttempts,
  givesUpEarly,
  bodyReserialized,
  signatureReused,
  checkedOnlyAtSave,
  firstAnswerChecked,
  redirectsFollowed,
  deliveredBeforeSending,
  noDeadline,
  noLanes,
  looksOnlyWhenWoken,
  orderIgnored,
  orderedByDueTime,
  retryLetsTheNextPass,
  nextBeforeTheEnd,
  givenUpBlocks,
  busyTakenForGone,
  orderedTakenOver,
  ...brokenRuns,
  ...brokenRunInputs,
  ...brokenAgentRuns,
  ...brokenSchedules,
  ...brokenEMails,
  ...brokenReports,
  ...brokenSlackQuestions,
  ...brokenKeptResults,
  ...brokenChangeFeeds,
  ...brokenAlerts,
  ...brokenHistoryFills,
  ...brokenSeveralStores,
]
