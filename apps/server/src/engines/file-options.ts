import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'

/** Options for an engine whose database is a file. */
export interface FileOptions {
  /** An absolute path. */
  file: string
  /** An existing folder, in which every process gets a folder of its own. */
  temporaryDirectory: string
  clock: Clock
  log: Log
}
