import type { Field } from './field.ts'
import type { Figure } from './figure.ts'

/** The rows that a run returned, as the result store holds them. */
export interface StoredResult {
  runId: string
  fields: readonly Field[]
  /** Read once for each publish that needs new values, so it must be iterable more than once. An array is fine. */
  rows: Iterable<readonly unknown[]>
  /** The values of the query's parameters. */
  parameters: Record<string, unknown>
  /** The title of the saved query, if it is one. */
  title: string | null
}

/** An answer as the model wrote it, with everything needed to judge it. */
export interface Draft {
  /** Markdown with placeholders: `{{r1: sum(revenue)}}`. */
  text: string
  /** Everything that people wrote on the path to this answer. */
  question: string
  /** By name (`r1`) and by run id. */
  results: ReadonlyMap<string, StoredResult>
  /** Why the result of a run cannot be used, by name and by run id: it is too large, or it has expired. */
  unavailable?: ReadonlyMap<string, string>
  now: Date
  /** Figures link to `<baseUrl>/runs/<runId>`. */
  baseUrl: string
  /** Other words for columns, by name: `{ 'Net revenue': ['turnover', 'Umsatz'] }` is for `net_revenue`, too. */
  synonyms?: Readonly<Record<string, readonly string[]>>
  /** The text is still being written: an unfinished placeholder, number or word at its end is withheld. */
  isPartial?: boolean
}

/** An answer for readers: every figure is printed, everything that is not proven is struck through. */
export interface Published {
  /** Markdown. */
  text: string
  /** Ordered by `start`. */
  figures: Figure[]
  /** The runs that proven figures were computed from. */
  usedRunIds: string[]
}
