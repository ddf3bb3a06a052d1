import { keptMs } from '../../../model/kept-times.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Db } from '../../../store/db.ts'
import { removeOldMeasures } from '../../../store/automations/result-measures.ts'
import { type Sweep, sweepOf } from '../../sweep-step.ts'

export function measureSweep({ db, clock }: { db: Db; clock: Clock }): Sweep {
  const before = new Date(clock.now().getTime() - keptMs.resultMeasures)
  return sweepOf('result_measures', (batchSize) => removeOldMeasures(db, { before, batchSize }))
}
