import type { Config } from '@querypost/server/configuration'
import { Complaint, type Context } from '../command.ts'
import { makeProgressLine } from '../progress-line.ts'

export function sizeText(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`
}

/** What an operator can do something about, in words; what is a fault of ours stays as it is. */
export function asComplaint(error: unknown, { signal, what }: { signal: AbortSignal; what: string }): unknown {
  if (signal.aborted) return new Complaint(1, `Interrupted. ${what}`)
  const { name, message, code } = error as NodeJS.ErrnoException
  if (name === 'ConfigError' || name === 'BackupError') return new Complaint(1, message)
  if (code === 'ENOSPC') return new Complaint(1, `The disk is full. ${what}`)
  if (code === 'EACCES' || code === 'ENOENT') return new Complaint(1, `${message}. ${what}`)
  return error
}

/** The settings of the service, whose folder it is. */
export async function readSettings(environment: Context['environment']): Promise<Config> {
  const { readConfig } = await import('@querypost/server/configuration')
  try {
    return readConfig(environment)
  } catch (error) {
    throw (error as Error).name === 'ConfigError' ? new Complaint(2, (error as Error).message) : error
  }
}

/** How far it is, on a terminal, a percent at a time. */
export function showPercents(context: Pick<Context, 'stderr'>, what: string) {
  const line = makeProgressLine(context)
  let shown = -1
  return {
    onProgress({ doneBytes, allBytes }: { doneBytes: number; allBytes: number }) {
      const percent = allBytes === 0 ? 100 : Math.floor((100 * doneBytes) / allBytes)
      if (percent === shown) return
      shown = percent
      line.show(`${what} ${percent} % of ${sizeText(allBytes)}`)
    },
    show: line.show,
    clear: line.clear,
  }
}
