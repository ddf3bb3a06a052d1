import type { Clock } from '../../../ports/clock.ts'
import type { Db } from '../../../store/db.ts'
import { removeOldMeasures } from '../../../store/automations/result-measures.ts'
import { type Sweep, sweepOf } from '../../sweep-step.ts'

/** No comparison and no backtest looks back further. */
export const measuresKeptMs = 400 * 24 * 3600_000

export function measureSweep({ db, clock }: { db: Db; clock: Clock }): Sweep {
  const before = new Date(clock.now().getTime() - measuresKeptMs)
  return sweepOf('result_measures', (batchSize) => removeOldMeasures(db, { before, batchSize }))
}
