import { styleText } from 'node:util'

/** Colors for one stream. Text stays unchanged if the stream is not a terminal or the user turned colors off. */
export interface Paint {
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  green(text: string): string
  yellow(text: string): string
  cyan(text: string): string
}

const styles = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const

export function makePaint(options: { isTerminal: boolean; environment: Record<string, string | undefined> }): Paint {
  const { NO_COLOR, FORCE_COLOR, TERM } = options.environment
  const isForced = FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0'
  const isColored = !NO_COLOR && (isForced || (options.isTerminal && TERM !== 'dumb'))
  const paintWith = (style: (typeof styles)[number]) => (text: string) =>
    isColored ? styleText(style, text, { validateStream: false }) : text
  return Object.fromEntries(styles.map((style) => [style, paintWith(style)])) as unknown as Paint
}
