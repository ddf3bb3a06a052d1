import type { Schedule } from '../../../model/automation.ts'
import type { Caller } from '../../../model/caller.ts'
import type { ReferenceInFull } from '../../../model/reference.ts'
import type { Db } from '../../../store/db.ts'
import { readResultsToReplay, type ResultToReplay } from '../../../store/history/archived-results-table.ts'
import { hasDefaultValues } from '../alerts/has-default-values.ts'
import { type PlannedDigest, planDigests } from './plan-digests.ts'

const resultsMax = 400

/** When an automation would have run, and with which kept results, oldest first. */
export async function readPastRuns(
  deps: { db: Db },
  { organizationId }: Caller,
  { references, ...when }: { references: readonly ReferenceInFull[]; schedule: Schedule | null; now: Date },
): Promise<PlannedDigest<ResultToReplay>[]> {
  const histories = new Map<string, ResultToReplay[]>()
  for (const { id, parameters } of references) {
    const kept = await readResultsToReplay(deps.db, { organizationId, referenceId: id, count: resultsMax })
    histories.set(id, kept.filter((result) => result.isFilled || hasDefaultValues(result, parameters)))
  }
  return planDigests(histories, when)
}
