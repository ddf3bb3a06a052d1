import {
  type AlertChange,
  type AlertCondition,
  type AlertMessage,
  type AlertObservation,
  type AlertRows,
  type AlertState,
  type AlertStatus,
  type AlertTest,
  type PastFigures,
  type Severity,
  severities,
} from '../../../model/alert.ts'
import { judgeTest, type TestVerdict } from './judge-test.ts'
import { keyName } from './measure-names.ts'
import { quietAt } from './quiet-time.ts'

export interface AlertInput {
  settings: Pick<AlertCondition, 'tests' | 'muteWindows'>
  /** Null before the first result. */
  state: AlertState | null
  /** Null: there is no new result, but a message that waited for the end of a quiet time may be due. */
  observed: { result: AlertObservation } | { failure: string; runId: string | null } | null
  /** Earlier results, oldest first. */
  history: readonly PastFigures[]
  snoozedUntil: Date | null
  now: Date
}

export interface AlertDecision {
  state: AlertState
  change: AlertChange | null
  /** To be sent now: about the change, or about earlier ones that were not announced. */
  message: AlertMessage | null
  /** The change is not announced yet because of this. */
  quietBecause: 'snoozed' | 'muted' | null
  /** When to decide again even if there is no new result, because a message is waiting. */
  announceAt: Date | null
}

/**
 * Decides what a new result means for an alert: its next state, whether that is a change, and whether people are notified. Pure: the same
 * results give the same decisions, so a backtest replays the past with it.
 *
 * A message is due whenever the state differs from the one announced last. So a change during a quiet time is announced when that ends,
 * unless it has been undone by then, and no change is announced twice.
 */
export function decideAlert(input: AlertInput): AlertDecision {
  const { settings, now } = input
  const before = input.state ?? initialState(settings.tests, now)
  const next = input.observed ? observe(before, input, input.observed) : { state: before, change: null }
  const due = messageFor(next.state)
  const quiet = due && quietAt({ now, snoozedUntil: input.snoozedUntil, muteWindows: settings.muteWindows })
  if (!due || quiet) {
    const announceAt = quiet?.until ?? null
    return { ...next, message: null, quietBecause: quiet?.because ?? null, announceAt }
  }
  const { status, severity, incident } = next.state
  const isIncidentOpen = lasts(incident) && (due.kind === 'fired' || next.state.announced.isIncidentOpen)
  const state = { ...next.state, announced: { status, severity, isIncidentOpen }, hasUnannouncedRows: false }
  return { state, change: next.change, message: due, quietBecause: null, announceAt: null }
}

export const initialState = (tests: readonly AlertTest[], now: Date): AlertState => ({
  status: 'ok',
  severity: null,
  since: now.toISOString(),
  finding: '',
  number: 0,
  runId: null,
  tests: tests.map(() => ({ isFiring: false, metCount: 0 })),
  incident: null,
  announced: { status: 'ok', severity: null, isIncidentOpen: false },
  hasUnannouncedRows: false,
})

type Observed = NonNullable<AlertInput['observed']>

function observe(before: AlertState, input: AlertInput, observed: Observed): { state: AlertState; change: AlertChange | null } {
  if ('failure' in observed) {
    return changed(before, { status: 'failing', finding: observed.failure, incident: before.incident, runId: before.runId, rows: null }, input.now)
  }
  const { result } = observed
  const { tests } = input.settings
  const judged = tests.map((test, at) => judge(test, before.tests[at]!, { ...input, observation: result }))
  const firing = judged.filter(({ memory, verdict }) => memory.isFiring && verdict.isMet === true)
  const rows = rowsOf(tests, result)
  const state = { ...before, runId: result.runId, tests: judged.map(({ memory }) => memory) }
  const { status, speaking } = statusOf(before, judged, firing)
  const incident =
    status === 'firing' ? extended(before.incident, firing.map(({ test }) => test)) : status === 'ok' || status === 'resolved' ? null : before.incident
  const finding = speaking.map(({ verdict }) => verdict.finding).join(' ')
  return changed(state, { status, finding, incident, runId: result.runId, rows }, input.now)
}

interface Judged {
  test: AlertTest
  verdict: TestVerdict
  memory: AlertState['tests'][number]
}

function judge(
  test: AlertTest,
  memory: AlertState['tests'][number],
  input: Pick<AlertInput, 'history' | 'now'> & { observation: AlertObservation },
): Judged {
  const verdict = judgeTest(test, { ...input, wasFiring: memory.isFiring })
  if (verdict.isMet === undefined) return { test, verdict, memory }
  const metCount = verdict.isMet ? memory.metCount + 1 : 0
  return { test, verdict, memory: { metCount, isFiring: metCount >= (test.forRuns ?? 1) } }
}

/** The status, and the tests that explain it. */
function statusOf(before: AlertState, judged: Judged[], firing: Judged[]): { status: AlertStatus; speaking: Judged[] } {
  if (firing.length > 0) return { status: 'firing', speaking: firing }
  const faults = judged.filter(({ verdict }) => verdict.isFault)
  if (faults.length > 0) return { status: 'failing', speaking: faults }
  const missing = judged.filter(({ verdict }) => verdict.isMet === undefined)
  if (missing.length > 0) return { status: 'no_data', speaking: missing }
  // New rows are news, not a condition that lasts: nobody has to know that there are no more of them.
  const isResolved = before.incident ? !before.incident.isAboutRowsOnly : before.status === 'resolved'
  return { status: isResolved ? 'resolved' : 'ok', speaking: judged }
}

function extended(incident: AlertState['incident'], firing: AlertTest[]): NonNullable<AlertState['incident']> {
  const isAboutRowsOnly = (incident?.isAboutRowsOnly ?? true) && firing.every(({ kind }) => kind === 'new_rows')
  const all = [...firing.map(({ severity }) => severity), ...(incident ? [incident.severity] : [])]
  return { severity: all.reduce(higher), isAboutRowsOnly }
}

function changed(
  before: AlertState,
  next: { status: AlertStatus; finding: string; incident: AlertState['incident']; runId: string | null; rows: AlertRows | null },
  now: Date,
): { state: AlertState; change: AlertChange | null } {
  const { status, finding, incident, runId, rows } = next
  const severity = incident?.severity ?? (status === 'resolved' ? before.severity : null)
  const isEscalated = status === 'firing' && before.status === 'firing' && (severity !== before.severity || lasts(incident) !== lasts(before.incident))
  const isSilent = status === 'ok' && before.status === 'firing'
  const isChange = (status !== before.status && !isSilent) || isEscalated || rows !== null
  const state: AlertState = {
    ...before,
    status,
    severity,
    since: status === before.status ? before.since : now.toISOString(),
    finding,
    incident,
    hasUnannouncedRows: before.hasUnannouncedRows || rows !== null,
    // An incident that ends in silence is not announced, so it counts as if it had been.
    ...(isSilent && { announced: { status: 'ok', severity: null, isIncidentOpen: false } }),
  }
  if (!isChange) return { state, change: null }
  const number = before.number + 1
  return { state: { ...state, number }, change: { number, at: now, status, severity, finding, runId, rows } }
}

/** All new rows that tests ask for; null if there are none. */
function rowsOf(tests: readonly AlertTest[], { newRows }: AlertObservation): AlertRows | null {
  const names = new Set(tests.flatMap((test) => (test.kind === 'new_rows' ? keyName(test.keyColumns) : [])))
  return [...names].flatMap((name) => newRows[name] ?? []).find(({ count }) => count > 0) ?? null
}

/** What people do not know yet; null if they know all. */
function messageFor({ status, severity, finding, incident, announced, hasUnannouncedRows }: AlertState): AlertMessage | null {
  const message = (kind: AlertMessage['kind'], of: Severity, text = finding) => ({ kind, severity: of, finding: text })
  switch (status) {
    case 'firing': {
      const isOpened = lasts(incident) && !announced.isIncidentOpen
      const isNews = announced.status !== 'firing' || rank(severity) > rank(announced.severity) || isOpened || hasUnannouncedRows
      return isNews ? message('fired', severity!) : null
    }
    case 'no_data':
    case 'failing':
      return announced.status === status ? null : message(status, severity ?? 'warning')
    case 'ok':
    case 'resolved': {
      if (hasUnannouncedRows) return message('fired', severity ?? 'warning', 'New rows were found while the alert was quiet.')
      if (announced.isIncidentOpen) return message('resolved', announced.severity ?? severity ?? 'warning')
      return announced.status === 'failing' || announced.status === 'no_data' ? message('recovered', announced.severity ?? 'warning') : null
    }
  }
}

/** New rows are announced each time, and never resolved. */
const lasts = (incident: AlertState['incident']) => incident !== null && !incident.isAboutRowsOnly

export const rank = (severity: Severity | null): number => (severity === null ? -1 : severities.indexOf(severity))
const higher = (a: Severity, b: Severity): Severity => (rank(a) >= rank(b) ? a : b)
