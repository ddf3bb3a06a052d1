import { type AlertTest, alertLimits, type PastFigures } from '../../../model/alert.ts'
import type { Db } from '../../../store/db.ts'
import { readPastFigures } from '../../../store/automations/result-measures.ts'
import { periodBefore } from './judge-test.ts'
import { isMeasuring, measureName, measuresOf } from './measure-names.ts'

const halfDayMs = 12 * 3600_000

/** The earlier figures that tests compare a result of this time with. */
export function readHistory(
  db: Db,
  key: { organizationId: string; referenceId: string; tests: readonly AlertTest[]; at: Date },
): Promise<PastFigures[]> {
  const comparing = key.tests.filter(isMeasuring).filter(({ kind }) => kind !== 'threshold')
  const counts = comparing.map((test) => (test.kind === 'unusual' ? test.results : 1))
  const periods = new Set(comparing.flatMap((test) => (test.kind === 'change' && test.against !== 'previous' ? test.against : [])))
  const around = [...periods].map((period) => {
    const ms = periodBefore(period, key.at).getTime()
    return { from: new Date(ms - halfDayMs), to: new Date(ms + halfDayMs) }
  })
  return readPastFigures(db, {
    organizationId: key.organizationId,
    referenceId: key.referenceId,
    measures: [...measuresOf(comparing).keys()],
    before: key.at,
    count: Math.min(Math.max(1, ...counts), alertLimits.unusualResults),
    around,
  })
}

/** The measures whose history the tests need. */
export const historicMeasures = (tests: readonly AlertTest[]): string[] =>
  [...new Set(tests.filter(isMeasuring).map((test) => measureName(test)))]
