import type { Paint } from './paint.ts'

/** One finding of `verify` or `doctor`: what was checked, the outcome, and what to do about it. */
export interface Check {
  name: string
  /** `skipped`: not checked, or nothing to check. */
  state: 'ok' | 'warning' | 'failed' | 'skipped'
  message: string
  /** What to do about it. */
  remedy?: string
}

export const ok = (name: string, message: string): Check => ({ name, state: 'ok', message })
export const skipped = (name: string, message: string): Check => ({ name, state: 'skipped', message })
export const warning = (name: string, message: string, remedy: string): Check => ({
  name,
  state: 'warning',
  message,
  remedy,
})
export const failed = (name: string, message: string, remedy: string): Check => ({
  name,
  state: 'failed',
  message,
  remedy,
})

export const hasFailed = (checks: Check[]): boolean => checks.some(({ state }) => state === 'failed')

const marks = {
  ok: (paint: Paint) => paint.green('ok     '),
  warning: (paint: Paint) => paint.yellow('warning'),
  failed: (paint: Paint) => paint.red('failed '),
  skipped: (paint: Paint) => paint.dim('-      '),
} satisfies Record<Check['state'], (paint: Paint) => string>

/** One line per check, with the remedy below it. */
export function formatChecks(checks: Check[], paint: Paint): string {
  const width = Math.max(...checks.map(({ name }) => name.length))
  const indent = ' '.repeat(2 + 7 + 2 + width + 2)
  return checks
    .map(({ name, state, message, remedy }) => {
      const line = `  ${marks[state](paint)}  ${name.padEnd(width)}  ${message.replaceAll('\n', `\n${indent}`)}\n`
      return remedy === undefined
        ? line
        : `${line}${indent}${paint.cyan(`→ ${remedy.replaceAll('\n', `\n${indent}  `)}`)}\n`
    })
    .join('')
}
