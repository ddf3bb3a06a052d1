import type { AlertCondition, AlertObservation, AlertState, AlertStatus, PastFigures, Severity } from '../../../model/alert.ts'
import { decideAlert } from '../alerts/decide-alert.ts'
import { isMeasuring, measureName } from '../alerts/measure-names.ts'

/** What an alert would have done over past results. */
export interface Backtest {
  resultCount: number
  /** Of the first and the last result; null without any. */
  from: Date | null
  to: Date | null
  points: BacktestPoint[]
  firings: Firing[]
  messageCount: number
  /** Days, in UTC, from the first to the last result on which it did not fire. */
  silentDays: number
}

export interface BacktestPoint {
  at: Date
  runId: string
  /** What the first test with a measure looks at; null if there is no value. */
  value: string | null
  status: AlertStatus
}

export interface Firing {
  from: Date
  /** When it was resolved; null if it still fires. */
  to: Date | null
  severity: Severity
  finding: string
}

const dayMs = 24 * 3600_000
/** No test looks back further. */
const historyMax = 366

/** Replays an alert over past results, oldest first, with the same decisions as in service. Pure. */
export function replayAlert(settings: Pick<AlertCondition, 'tests' | 'muteWindows'>, observations: readonly AlertObservation[]): Backtest {
  const measured = settings.tests.find(isMeasuring)
  const shown = measured ? measureName(measured) : 'rows'
  const points: BacktestPoint[] = []
  const firings: Firing[] = []
  const history: PastFigures[] = []
  let messageCount = 0
  let state: AlertState | null = null
  let hadIncident = false
  for (const result of observations) {
    const decision = decideAlert({ settings, state, observed: { result }, history, snoozedUntil: null, now: result.at })
    const { change, message } = decision
    state = decision.state
    if (message) messageCount++
    const open = firings.at(-1)
    if (change?.status === 'firing' && (!hadIncident || !open || open.to !== null)) {
      firings.push({ from: result.at, to: null, severity: change.severity!, finding: change.finding })
    } else if (open && change?.status === 'firing') open.severity = change.severity!
    if (open && open.to === null && state.incident === null) open.to = result.at
    hadIncident = state.incident !== null
    const value = shown === 'rows' ? String(result.rowCount) : (result.figures[shown] ?? null)
    points.push({ at: result.at, runId: result.runId, value, status: state.status })
    history.push({ at: result.at, figures: result.figures })
    if (history.length > historyMax) history.shift()
  }
  return { ...summarizePoints(points), firings, messageCount }
}

export function summarizePoints(points: BacktestPoint[]): Pick<Backtest, 'resultCount' | 'from' | 'to' | 'points' | 'silentDays'> {
  const [from, to] = [points[0]?.at ?? null, points.at(-1)?.at ?? null]
  return { resultCount: points.length, from, to, points, silentDays: from && to ? silentDays(points, from, to) : 0 }
}

const dayOf = (at: Date) => Math.floor(at.getTime() / dayMs)

function silentDays(points: readonly BacktestPoint[], from: Date, to: Date): number {
  const loud = new Set(points.filter(({ status }) => status === 'firing').map(({ at }) => dayOf(at)))
  return dayOf(to) - dayOf(from) + 1 - loud.size
}
