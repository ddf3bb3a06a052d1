import type { Readable } from 'node:stream'
import type { Clock } from '@querypost/server/ports'
import type { Paint } from './paint.ts'

/**
 * A *command* is what stands after `querypost`: one word (`listen`) or two (`query run`). It is given a *context*, which is all
 * that it knows of the world, and says by its *exit code* how it went:
 *
 *     0  done
 *     1  it was tried and did not succeed: a run failed, a signature is wrong
 *     2  it was called wrongly; nothing was tried
 *     3  the service cannot be reached, or refuses the key
 *
 * What somebody may want to pass on stands on the standard output: text for people, or with `--json` one JSON document (a line
 * each, where they keep coming) and nothing else. Progress, hints and complaints go to the standard error.
 */
export interface Command<Options extends CommandOptions = CommandOptions> {
  /** What it is called with: `<shortId> [--limit 20]`. */
  usage: string
  /** What it does, in a paragraph or two; shown by `--help`. */
  description: string
  /** Lines to paste, each with what it does. */
  examples: { line: string; does: string }[]
  options: Options
  /** Which of `--json` and `--url` it takes: both, if it does not say. */
  common?: ('json' | 'url')[]
  run(context: Context, given: Given<Options>): Promise<ExitCode>
  /** It listens to the signals of the process by itself, as a service does. */
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
  /** What stands for the value in the help, as in `--forward <url>`. */
  value?: string
  does: string
}

type ValueOf<Option extends CommandOption> = Option['type'] extends 'boolean' ? boolean : string
export interface Given<Options extends CommandOptions = CommandOptions> {
  /** What is no option, in order. */
  operands: string[]
  options: {
    [Name in keyof Options]: Options[Name] extends { multiple: true }
      ? ValueOf<Options[Name]>[] | undefined
      : Options[Name] extends { default: string | boolean }
        ? ValueOf<Options[Name]>
        : ValueOf<Options[Name]> | undefined
  }
}

/** Where text goes to: a terminal, a file or another program. */
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
  /** Aborts when the person interrupts. */
  signal: AbortSignal
  /** Asked for by `--json`. */
  isJson: boolean
  /** Colours for the standard output and the standard error; none where that is no terminal. */
  paint: { stdout: Paint; stderr: Paint }
  /** `--url`, where it was given. */
  url: string | undefined
}

/** Wrong usage, or a world that is not as it must be: shown as it is, without a trace, and ends the command. */
export class Complaint extends Error {
  override readonly name = 'Complaint'
  readonly exitCode: ExitCode
  constructor(exitCode: ExitCode, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Keeps the types of a command's options together with what reads them. */
export const defineCommand = <const Options extends CommandOptions>(command: Command<Options>): Command =>
  command
