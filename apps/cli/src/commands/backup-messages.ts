import type { Config } from '@querypost/server/configuration'
import { CommandError, type Context } from '../command.ts'
import { makeProgressLine } from '../progress-line.ts'

export function sizeText(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`
}

/** Turns an error that the operator can act on into a message. Other errors are bugs and stay as they are. */
export function toCommandError(error: unknown, { signal, outcome }: { signal: AbortSignal; outcome: string }): unknown {
  if (signal.aborted) return new CommandError(1, `Interrupted. ${outcome}`)
  const { name, message, code } = error as NodeJS.ErrnoException
  if (name === 'ConfigError' || name === 'BackupError') return new CommandError(1, message)
  if (code === 'ENOSPC') return new CommandError(1, `The disk is full. ${outcome}`)
  if (code === 'EACCES' || code === 'ENOENT') return new CommandError(1, `${message}. ${outcome}`)
  return error
}

/** Reads the settings of the service from the environment. */
export async function readSettings(environment: Context['environment']): Promise<Config> {
  const { readConfig } = await import('@querypost/server/configuration')
  try {
    return readConfig(environment)
  } catch (error) {
    throw (error as Error).name === 'ConfigError' ? new CommandError(2, (error as Error).message) : error
  }
}

/** Shows progress in percent on a terminal. */
export function showPercents(context: Pick<Context, 'stderr'>, activity: string) {
  const line = makeProgressLine(context)
  let shown = -1
  return {
    onProgress({ doneBytes, allBytes }: { doneBytes: number; allBytes: number }) {
      const percent = allBytes === 0 ? 100 : Math.floor((100 * doneBytes) / allBytes)
      if (percent === shown) return
      shown = percent
      line.show(`${activity} ${percent}% of ${sizeText(allBytes)}`)
    },
    show: line.show,
    clear: line.clear,
  }
}
