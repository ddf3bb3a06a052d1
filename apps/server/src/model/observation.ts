import type { FigureSource } from '@querypost/answers'

/**
 * What the digest agent stores about a reference's result for comparison with the next one: results expire after a day, while a
 * weekly automation compares with last week. Bounded in size, whatever the result.
 */
export interface Observation {
  version: 1
  /** The query run whose result it was. */
  runId: string
  /**
   * That run's SQL, parameter values and result hash, so that figures of the next run can be proven too. Absent in observations from
   * before figures were proven, and if the result has numbers that cannot be computed with.
   */
  source?: Omit<FigureSource, 'runId'>
  /** Identifies the exact SQL including parameter values: other SQL may mean other figures. */
  sqlHash: string
  rowCount: number
  /** Exact sums over all rows, by column name. */
  totals: [column: string, total: string][]
  /** The rows; null if there were too many. */
  rows: ObservedRows | null
}

export interface ObservedRows {
  /** Rows identified by their keys, or the periods of a series. */
  kind: 'keys' | 'periods'
  keyColumns: string[]
  valueColumns: string[]
  rows: ObservedRow[]
  /** For a series: periods from this one on were incomplete, and so were expected to change. */
  incompleteFrom: string | null
}

/** Text is truncated; numbers are exact decimals. Null where the result had no value. */
export interface ObservedRow {
  key: (string | null)[]
  values: (string | null)[]
}

/** Beyond this, only the row count and the totals are stored. */
export const observedRows = 20_000

/** Beyond this, keys are not stored, so new and missing ones cannot be reported. */
export const rememberedKeys = 2_000
export const rememberedTextLength = 200
export const rememberedKeyColumns = 4
export const rememberedValueColumns = 8

/** Limit for its JSON text: wide keys reach it before there are too many of them. */
export const observationMaxLength = 1024 * 1024
