import type { Context } from './command.ts'

/** A line of progress that is overwritten. Shows nothing if standard error is not a terminal. */
export interface ProgressLine {
  show(text: string): void
  clear(): void
}

export function makeProgressLine({ stderr }: Pick<Context, 'stderr'>): ProgressLine {
  let isShown = false
  return {
    show(text) {
      if (!stderr.isTTY) return
      isShown = true
      const width = (stderr.columns ?? 80) - 1
      stderr.write(`\r\u001b[K${text.slice(0, width)}`)
    },
    clear() {
      if (isShown) stderr.write('\r\u001b[K')
      isShown = false
    },
  }
}
