import { systemClock } from '@querypost/server/ports'
import { CommandError, type Context, type ExitCode } from './command.ts'
import { commands } from './commands.ts'
import { helpOf, helpOfAll, helpOfFamily } from './help.ts'
import { makePaint } from './paint.ts'
import { findCommand, readArguments } from './read-arguments.ts'
import { findNearest } from './find-nearest.ts'
import { readVersion } from './version.ts'

type Environment = Omit<Context, 'isJson' | 'url' | 'paint' | 'signal'>

/** Runs a command line. `signals.onInterrupt` is called only for a command that reacts to interrupts. */
export async function runArguments(
  args: string[],
  world: Environment,
  signals: { onInterrupt(): AbortSignal } = { onInterrupt: () => new AbortController().signal },
): Promise<ExitCode> {
  const { environment, stdout, stderr } = world
  const paint = {
    stdout: makePaint({ isTerminal: stdout.isTTY === true, environment }),
    stderr: makePaint({ isTerminal: stderr.isTTY === true, environment }),
  }
  try {
    const names = Object.keys(commands)
    const [first] = args
    if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
      const asked = findCommand(args.slice(1), names)
      const help = asked
        ? helpOf(asked.name, (await commands[asked.name]!.load()).command, paint.stdout)
        : (helpOfFamily(args[1], paint.stdout) ?? helpOfAll(paint.stdout))
      stdout.write(help)
      return first === undefined ? 2 : 0
    }
    if (first === '--version' || first === '-v') {
      stdout.write(`${readVersion()}\n`)
      return 0
    }
    const found = findCommand(args, names)
    const family = found ? undefined : helpOfFamily(first, paint.stdout)
    if (family !== undefined && args.slice(1).some((word) => word === '--help' || word === '-h')) {
      stdout.write(family)
      return 0
    }
    if (!found) throw new CommandError(2, noSuchCommand(args, names))
    const { command } = await commands[found.name]!.load()
    const { common, ...given } = readArguments(command, found.rest)
    if (common.isHelp) {
      stdout.write(helpOf(found.name, command, paint.stdout))
      return 0
    }
    const signal = command.ownsSignals ? new AbortController().signal : signals.onInterrupt()
    return await command.run({ ...world, paint, signal, isJson: common.isJson, url: common.url }, given)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    stderr.write(`${paint.stderr.red('querypost:')} ${error.message}\n`)
    return error.exitCode
  }
}

function noSuchCommand(args: string[], names: string[]): string {
  const words = args.filter((word) => !word.startsWith('-')).slice(0, 2)
  const groupOf = names.filter((name) => name.startsWith(`${words[0]} `))
  if (groupOf.length > 0) return `Choose one: ${groupOf.map((name) => `querypost ${name}`).join(', ')}`
  const meant = findNearest(words.join(' '), names) ?? findNearest(words[0] ?? '', names)
  const hint = meant ? `Did you mean "${meant}"? ` : ''
  return `There is no command "${words[0] ?? args[0]}". ${hint}Run \`querypost --help\` for a list.`
}

/** Runs the command line of this process, with its streams, signals and exit code. */
export async function runCommand(): Promise<void> {
  const interrupted = new AbortController()
  function onInterrupt() {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        // The second interrupt stops the process at once.
        if (interrupted.signal.aborted) process.exit(130)
        interrupted.abort()
      })
    }
    return interrupted.signal
  }
  // A reader such as `head` closes the pipe when it has read enough.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  const { env: environment, stdin, stdout, stderr } = process
  const world: Environment = { environment, stdin, stdout, stderr, clock: systemClock, fetch }
  try {
    process.exitCode = await runArguments(process.argv.slice(2), world, { onInterrupt })
    if (interrupted.signal.aborted) process.exitCode = 130
  } catch (error) {
    process.stderr.write(`querypost: internal error. Please report it.\n${(error as Error).stack}\n`)
    process.exitCode = 1
  }
}
