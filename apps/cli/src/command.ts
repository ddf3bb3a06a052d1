import type { Readable } from 'node:stream'
import type { Clock } from '@querypost/server/ports'
import type { Paint } from './paint.ts'

/**
 * A *command* is one word (`listen`) or two (`query run`) after `querypost`. It gets everything it needs from a *context* and returns an
 * *exit code*:
 *
 *     0  success
 *     1  failure: a run failed, a signature is wrong
 *     2  wrong usage; nothing was tried
 *     3  the service can't be reached or rejects the API key
 *
 * Standard output has the result and nothing else, so that it can be piped: text, or with `--json` one JSON document (one per line for
 * a stream). Progress, hints and errors go to standard error.
 */
export interface Command<Options extends CommandOptions = CommandOptions> {
  /** The arguments, as in `<shortId> [--limit 20]`. */
  usage: string
  /** A paragraph or two for `--help`. */
  description: string
  /** Lines to paste, each with what it does. */
  examples: { line: string; description: string }[]
  options: Options
  /** Which of `--json` and `--url` it takes. Default: both. */
  common?: ('json' | 'url')[]
  run(context: Context, args: Arguments<Options>): Promise<ExitCode>
  /** True if it handles SIGINT and SIGTERM itself, as the service does. */
  ownsSignals?: boolean
}

export type ExitCode = 0 | 1 | 2 | 3

export type CommandOptions = Record<string, CommandOption>

export interface CommandOption {
  type: 'string' | 'boolean'
  short?: string
  /** May be given more than once. */
  multiple?: boolean
  default?: string | boolean
  /** The placeholder for the value in the help: `url` in `--forward <url>`. */
  value?: string
  description: string
}

type ValueOf<Option extends CommandOption> = Option['type'] extends 'boolean' ? boolean : string
/** The parsed command line. */
export interface Arguments<Options extends CommandOptions = CommandOptions> {
  /** Everything that is not an option, in order. */
  operands: string[]
  options: {
    [Name in keyof Options]: Options[Name] extends { multiple: true }
      ? ValueOf<Options[Name]>[] | undefined
      : Options[Name] extends { default: string | boolean }
        ? ValueOf<Options[Name]>
        : ValueOf<Options[Name]> | undefined
  }
}

/** An output stream: a terminal, a file or a pipe. */
export interface Output {
  write(text: string | Uint8Array): boolean
  /** True for a terminal. */
  isTTY?: boolean
  columns?: number
}

export interface Context {
  environment: Record<string, string | undefined>
  stdin: Readable & { isTTY?: boolean }
  stdout: Output & NodeJS.WritableStream
  stderr: Output
  clock: Clock
  fetch: typeof fetch
  /** Aborts when the user interrupts the command. */
  signal: AbortSignal
  /** True with `--json`. */
  isJson: boolean
  /** Colors for each stream; none if it is not a terminal. */
  paint: { stdout: Paint; stderr: Paint }
  /** The value of `--url`. */
  url: string | undefined
}

/** An error that the user can act on. Its message is shown without a stack trace, and the command ends with `exitCode`. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: ExitCode
  constructor(exitCode: ExitCode, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Infers the types of a command's arguments from its options. */
export const defineCommand = <const Options extends CommandOptions>(command: Command<Options>): Command =>
  command
