/** The type of a result's column, whatever the engine calls it. */
export type FieldType = 'integer' | 'number' | 'decimal' | 'string' | 'boolean' | 'date' | 'timestamp' | 'json'

export interface Field {
  name: string
  type: FieldType
}

/** Some rows of a result, in order. */
export interface RowBatch {
  rowCount: number
  /**
   * The rows as JSON arrays separated by commas, without the outer brackets: `[1,"a"],[2,"b"]`.
   * Integers beyond ±(2^53-1) and all decimals are strings, exact; timestamps ISO 8601 UTC; bytes base64 strings;
   * numbers that JSON cannot write (NaN, Infinity) are the strings "NaN", "Infinity", "-Infinity".
   */
  json: Uint8Array
  /** Gives the memory of `json` back at once, for large results. Optional for both sides; afterwards, `json` must not be used. */
  release?(): void
}

/** What the engine reports about the work; null if it does not report it. */
export interface RunStatistics {
  rowsRead: number | null
  rowsWritten: number | null
  /** Omitted if the engine does not report it. */
  bytesRead?: number
}

export interface EngineResult {
  fields: Field[]
  batches: AsyncIterable<RowBatch>
  /** Known once `batches` has been read to its end. */
  statistics(): RunStatistics
}
