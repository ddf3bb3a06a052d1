import type { Config } from '@querypost/server/configuration'
import { type Check, failed } from '../checks.ts'
import type { Context } from '../command.ts'

/**
 * An *examination* checks one part of the installation. All of them run, one after another, whatever the others found. None changes
 * anything, and none takes long.
 */
export interface Installation extends Pick<Context, 'environment' | 'clock' | 'fetch' | 'signal'> {
  config: Config
  /** The address of the running service. */
  url: string
  /** The process that uses the data directory, if any. */
  ownerId: number | undefined
  /** A temporary folder, removed afterwards. */
  workFolder: string
}

export interface Examination {
  /** Shown while it runs. */
  name: string
  run(installation: Installation): Promise<Check[]>
}

/** Runs an examination; an unexpected error becomes a failed check. */
export async function runExamination(examination: Examination, installation: Installation): Promise<Check[]> {
  try {
    return await examination.run(installation)
  } catch (error) {
    installation.signal.throwIfAborted()
    const message = `The check failed unexpectedly: ${(error as Error).message}`
    return [failed(examination.name, message, 'If the message does not help, please report it.')]
  }
}
