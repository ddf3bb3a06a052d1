import type { Judge, Observed } from '../world/observed.ts'
import { reachesItsEnd } from './1-reaches-its-end.ts'
import { whenDue } from './2-when-due.ts'
import { sameBytes } from './3-same-bytes.ts'
import { publicAddressesOnly } from './4-public-addresses.ts'
import { disabledAtTheFifth } from './5-disabled-at-the-fifth.ts'
import { isolation } from './6-isolation.ts'
import { backlogDrains } from './7-backlog-drains.ts'
import { agentRuns } from './agent-runs.ts'
import { eMails } from './e-mails.ts'
import { runs } from './runs.ts'
import { schedules } from './schedules.ts'

/** Every invariant's judge. The seventh is asked before the first: what never ends is told in its words. */
export const judges: ((observed: Observed) => Judge)[] = [
  backlogDrains,
  reachesItsEnd,
  whenDue,
  sameBytes,
  publicAddressesOnly,
  disabledAtTheFifth,
  isolation,
]

/** Of the other kinds of work. What the world itself notices, as a promise that nobody caught, is the invariant `process`. */
export const workJudges: ((observed: Observed) => Judge)[] = [runs, agentRuns, schedules, eMails]
