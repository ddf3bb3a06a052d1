import type { Field } from './result.ts'

/**
 * An *alert* is a condition with a state. Terms:
 *
 * - A *test* is one question about a result, such as "is the total above 100?". An alert fires if any of its tests does.
 * - A *measure* is one number of a result: its number of rows, or one column reduced to a number.
 * - An *observation* is what one result says about all tests of an alert, or that there was no result.
 * - A *change* is a new state. Each change is announced in one *message*, and an alert that is quiet announces it later or not at all.
 * - An alert is *quiet* while it is snoozed or within one of its mute windows.
 */
export interface AlertCondition {
  reference: string
  kind: 'alert'
  tests: AlertTest[]
  muteWindows: MuteWindow[]
}

export const severities = ['info', 'warning', 'critical'] as const
export type Severity = (typeof severities)[number]

/**
 * `ok`: nothing has fired since the alert was set up. `resolved`: it has fired, and no longer does. `no_data`: the value to compare is
 * missing. `failing`: the query failed, or its result does not have the column.
 */
export const alertStatuses = ['ok', 'firing', 'resolved', 'no_data', 'failing'] as const
export type AlertStatus = (typeof alertStatuses)[number]

export const aggregates = ['first', 'last', 'min', 'max', 'sum'] as const
export type Aggregate = (typeof aggregates)[number]

/** Without a column: the number of rows. */
export interface AlertMeasure {
  column?: string
  aggregate?: Aggregate
}

export const alertComparisons = ['>', '>=', '<', '<='] as const
export type AlertComparison = (typeof alertComparisons)[number]

export const comparedPeriods = ['previous', 'day', 'week', 'month'] as const
export type ComparedPeriod = (typeof comparedPeriods)[number]

export const changeDirections = ['either', 'up', 'down'] as const
export type ChangeDirection = (typeof changeDirections)[number]

export const changeUnits = ['percent', 'absolute'] as const
export type ChangeUnit = (typeof changeUnits)[number]

export interface ThresholdTest extends AlertMeasure {
  kind: 'threshold'
  comparison: AlertComparison
  number: number
  /** Once it fires, it goes on until the value has passed this number too. */
  resolveAt?: number
}

/** Against the previous result, or the one nearest to a day, a week or a month before. */
export interface ChangeTest extends AlertMeasure {
  kind: 'change'
  against: ComparedPeriod
  direction: ChangeDirection
  by: number
  unit: ChangeUnit
}

/** Rows whose key was not in the previous result. */
export interface NewRowsTest {
  kind: 'new_rows'
  keyColumns: string[]
}

export interface NoRowsTest {
  kind: 'no_rows'
}

/** The newest time in a column is older than this. */
export interface StaleTest {
  kind: 'stale'
  column: string
  hours: number
}

/** The z-score of the value among the last results. */
export interface UnusualTest extends AlertMeasure {
  kind: 'unusual'
  deviations: number
  /** How many results before this one it is compared with. */
  results: number
}

export const alertTestKinds = ['threshold', 'change', 'new_rows', 'no_rows', 'stale', 'unusual'] as const

/** `forRuns`: fires after so many results in a row. */
export type AlertTest = { severity: Severity; forRuns?: number } & (
  | ThresholdTest
  | ChangeTest
  | NewRowsTest
  | NoRowsTest
  | StaleTest
  | UnusualTest
)

/** Covers every moment at which clocks in the time zone show a time from `from` until before `to`, on a day that it names. */
export interface MuteWindow {
  /** 1 is Monday. */
  days: number[]
  /** As 22:00. */
  from: string
  /** As 06:30, or 24:00. Before `from`: on the next day. */
  to: string
  timeZone: string
}

/** What is known of one result. Figures are decimals as text, so that no digit is lost. */
export interface AlertObservation {
  runId: string
  /** When the result was computed. */
  at: Date
  rowCount: number
  /** By the name of the measure. Null: there is no value, because there are no rows or all are null. */
  figures: Record<string, string | null>
  /** The newest time by column, in milliseconds. */
  newestTimes: Record<string, number | null>
  /** By the names of the key columns. Null: there is no earlier result to compare with. */
  newRows: Record<string, AlertRows | null>
  /** Why a measure, a time or a key cannot be read, by the name of each. */
  faults: Record<string, string>
}

export interface PastFigures {
  at: Date
  figures: Record<string, string | null>
}

/** New rows: the first of them, with all columns of the result. */
export interface AlertRows {
  count: number
  fields: Field[]
  rows: unknown[][]
}

export interface AlertState {
  status: AlertStatus
  /** Of the current incident. It only rises until the incident ends. */
  severity: Severity | null
  /** ISO 8601. */
  since: string
  finding: string
  /** The number of its last change; 0 before the first. */
  number: number
  /** The result that was evaluated last. */
  runId: string | null
  tests: { isFiring: boolean; metCount: number }[]
  /** From the first test that fires until none does, even if the query fails in between. */
  incident: { severity: Severity; isAboutRowsOnly: boolean } | null
  /** What people were notified last. */
  announced: { status: AlertStatus; severity: Severity | null; isIncidentOpen: boolean }
  /** New rows that were found while the alert was quiet. */
  hasUnannouncedRows: boolean
}

export interface AlertChange {
  /** 1, 2, 3, … for each alert. */
  number: number
  at: Date
  status: AlertStatus
  severity: Severity | null
  finding: string
  runId: string | null
  rows: AlertRows | null
}

export const alertMessageKinds = ['fired', 'resolved', 'no_data', 'failing', 'recovered'] as const
export type AlertMessageKind = (typeof alertMessageKinds)[number]

/** What people are notified about a change. */
export interface AlertMessage {
  kind: AlertMessageKind
  /** Decides to whom it goes. */
  severity: Severity
  finding: string
}

export const alertLimits = {
  tests: 10,
  muteWindows: 10,
  keyColumns: 5,
  forRuns: 100,
  unusualResults: 365,
  /** Fewer results say too little about what is usual. */
  unusualResultsMin: 8,
  staleHours: 24 * 366,
  /** Rows in a message. */
  rows: 20,
  /** A result with more rows cannot be searched for new ones. */
  keyedRows: 200_000,
  snoozeDays: 366,
} as const
