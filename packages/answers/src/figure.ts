/**
 * A *figure* is a place in the text of an answer that states a quantity, a date or a label of a result. A proven one was computed from the
 * stored result of a run by its expression; the others are struck through in the text.
 */
export interface Figure {
  /** Unique within the message: `f1`, `f2`, … */
  id: string
  /** As readers see it. In the Markdown, characters of a label may be escaped. */
  text: string
  isProven: boolean
  /** The exact value: a decimal number as text, or a label. Null if the figure is not proven. */
  value: string | null
  /** `''`, `'%'`, `'€'`, …; null if the figure is not proven. */
  unit: string | null
  /** The run whose result it was computed from. Null if the figure is not proven. */
  runId: string | null
  /** How it was computed. For a figure that is not proven, its placeholder as written; null for other text. */
  expression: string | null
  /** Its place in the message's text, in UTF-16 units. */
  start: number
  end: number
  /** Why it is not proven, for readers. Null if it is. */
  reason: string | null
}

/** A run that figures of a message were computed from, kept with the message so that its proof outlives the run. */
export interface FigureSource {
  runId: string
  sql: string
  parameters: Record<string, unknown>
  /** As the `ETag` of the run's result names it. */
  resultHash: string
}
