/** Limits for one import: large enough for files on people's machines. For more, use a separate DuckDB file. */
export interface ImportLimits {
  uploadMaxBytes: number
  /** Size of the whole database afterwards, however much the file expands. */
  fileMb: number
  /** How much memory DuckDB may use before it spills to disk. */
  memoryMb: number
  timeMs: number
}

export const importLimits: ImportLimits = {
  uploadMaxBytes: 4 * 1024 ** 3,
  fileMb: 16 * 1024,
  memoryMb: 1024,
  timeMs: 10 * 60_000,
}
