import { parseArgs } from 'node:util'
import { Complaint, type Command, type Given } from './command.ts'
import { commonOptionsOf } from './help.ts'

/** Which command is meant: the longest name that the words begin with. */
export function findCommand(words: string[], names: string[]): { name: string; rest: string[] } | undefined {
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ')
    if (words.length >= count && names.includes(name)) return { name, rest: words.slice(count) }
  }
  return undefined
}

/** What was given to a command; a complaint names what does not belong there. */
export function readArguments(command: Command, args: string[]): Given & { common: Common } {
  const options = { ...command.options, ...commonOptionsOf(command) }
  let parsed
  try {
    parsed = parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new Complaint(2, (error as Error).message)
  }
  const { json, url, help, ...values } = parsed.values as Record<string, unknown>
  return {
    operands: parsed.positionals,
    options: values as Given['options'],
    common: { isJson: json === true, url: url as string | undefined, isHelp: help === true },
  }
}

export interface Common {
  isJson: boolean
  url: string | undefined
  isHelp: boolean
}

