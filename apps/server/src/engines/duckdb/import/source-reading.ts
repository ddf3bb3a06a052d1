import type { ImportFault } from './import-fault.ts'

/** What a reader of one format works with. */
export interface SourceReading {
  /** The file's own bytes, unpacked. */
  path: string
  /** Makes the table of what a table function of DuckDB reads with these options. */
  make(reader: 'read_csv' | 'read_json' | 'read_parquet', options: string[]): Promise<void>
  /** What DuckDB said, without paths. */
  wordsOf(error: unknown): string
  asFault(error: unknown, explain: (words: string) => string): ImportFault
}
