/**
 * What one import may take. Large enough for the files people have on their machines; the rest belongs into a DuckDB
 * file of its own.
 */
export interface ImportLimits {
  uploadMaxBytes: number
  /** The whole database afterwards, whatever the file unpacks to. */
  fileMb: number
  /** What DuckDB may hold before it spills to disk. */
  memoryMb: number
  timeMs: number
}

export const importLimits: ImportLimits = {
  uploadMaxBytes: 4 * 1024 ** 3,
  fileMb: 16 * 1024,
  memoryMb: 1024,
  timeMs: 10 * 60_000,
}
