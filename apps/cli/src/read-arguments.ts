import { parseArgs } from 'node:util'
import { CommandError, type Command, type Arguments } from './command.ts'
import { commonOptionsOf } from './help.ts'

/** Finds the command that the words begin with; of two names, the longer one. */
export function findCommand(words: string[], names: string[]): { name: string; rest: string[] } | undefined {
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ')
    if (words.length >= count && names.includes(name)) return { name, rest: words.slice(count) }
  }
  return undefined
}

/** Parses the arguments of a command. Throws an error that names an unknown option. */
export function readArguments(command: Command, args: string[]): Arguments & { common: CommonOptions } {
  const options = { ...command.options, ...commonOptionsOf(command) }
  let parsed
  try {
    parsed = parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new CommandError(2, (error as Error).message)
  }
  const { json, url, help, ...values } = parsed.values as Record<string, unknown>
  return {
    operands: parsed.positionals,
    options: values as Arguments['options'],
    common: { isJson: json === true, url: url as string | undefined, isHelp: help === true },
  }
}

export interface CommonOptions {
  isJson: boolean
  url: string | undefined
  isHelp: boolean
}

