import type { ImportFault } from './import-fault.ts'

/** The dependencies of a reader for one format. */
export interface SourceReading {
  /** The decompressed file. */
  path: string
  /** Creates the table from a DuckDB table function called with these options, with all its columns and rows or those selected. */
  make(reader: 'read_csv' | 'read_json' | 'read_parquet', options: string[], selected?: { columns: string; where?: string }): Promise<void>
  /** DuckDB's error message, without paths. */
  messageOf(error: unknown): string
  asFault(error: unknown, explain: (message: string) => string): ImportFault
}
