import type { FileDatabase } from '../../model/database.ts'

/** Limits for one import: large enough for files on people's machines. For more, use a separate DuckDB file. */
export interface ImportLimits {
  uploadMaxBytes: number
  /** Size of the whole database afterwards, however much the file expands. */
  fileMb: number
  /** How much memory DuckDB may use before it spills to disk. */
  memoryMb: number
  timeMs: number
  /** For the database of a member's uploads, instead of the ones above. */
  ofMember: Pick<ImportLimits, 'uploadMaxBytes' | 'fileMb'>
}

export const importLimits: ImportLimits = {
  uploadMaxBytes: 4 * 1024 ** 3,
  fileMb: 16 * 1024,
  memoryMb: 1024,
  timeMs: 10 * 60_000,
  ofMember: { uploadMaxBytes: 256 * 1024 ** 2, fileMb: 1024 },
}

export const limitsOf = ({ settings }: Pick<FileDatabase, 'settings'>, { ofMember, ...limits }: ImportLimits) =>
  settings.ownerId === undefined ? limits : { ...limits, ...ofMember }
