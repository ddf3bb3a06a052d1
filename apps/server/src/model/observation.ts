/**
 * What the digest agent remembers of a reference's result, to compare the next one with: results live for a day, and a
 * weekly automation compares with last week. Bounded in size, whatever the result.
 */
export interface Observation {
  version: 1
  /** The query run whose result it was. */
  runId: string
  /** Names the exact SQL, parameters put in: another one may mean other figures. */
  sqlHash: string
  rowCount: number
  /** Exact sums over all rows, by column name. */
  totals: [column: string, total: string][]
  /** What stood in the rows; null when they were too many. */
  rows: ObservedRows | null
}

export interface ObservedRows {
  /** Rows told apart by their keys, or the periods of a series. */
  kind: 'keys' | 'periods'
  keyColumns: string[]
  valueColumns: string[]
  rows: ObservedRow[]
  /** For a series: from this period on they were not complete, so that they were bound to change. */
  incompleteFrom: string | null
}

/** Text is cut; numbers are exact decimals. Null where the result had none. */
export interface ObservedRow {
  key: (string | null)[]
  values: (string | null)[]
}

/** Beyond this only the row count and the totals are observed. */
export const observedRows = 20_000

/** Beyond this keys are not remembered, so new and vanished ones cannot be told. */
export const rememberedKeys = 2_000
export const rememberedTextLength = 200
export const rememberedKeyColumns = 4
export const rememberedValueColumns = 8

/** Of its JSON text: wide keys use it up before there are too many of them. */
export const observationMaxLength = 1024 * 1024
