import type { Config } from '@querypost/server/configuration'
import { type Check, failed } from '../check.ts'
import type { Context } from '../command.ts'

/**
 * An *examination* looks at one part of the world and gives its checks. All are made, one after the other in the
 * order of the list, whatever came of the others: who asks for a doctor wants to hear everything. None changes
 * anything, and none takes long.
 */
export interface Installation extends Pick<Context, 'environment' | 'clock' | 'fetch' | 'signal'> {
  config: Config
  /** Where the running service is asked. */
  url: string
  /** The process that has the data directory, if one has. */
  ownerId: number | undefined
  /** A folder for what an examination needs while it looks; removed afterwards. */
  workFolder: string
}

export interface Examination {
  /** What is being looked at, for those who wait. */
  name: string
  look(installation: Installation): Promise<Check[]>
}

/** An examination that breaks off is an answer too. */
export async function examine(examination: Examination, installation: Installation): Promise<Check[]> {
  try {
    return await examination.look(installation)
  } catch (error) {
    installation.signal.throwIfAborted()
    const message = `It could not be looked at: ${(error as Error).message}`
    return [failed(examination.name, message, 'If that tells you nothing, please report it.')]
  }
}
