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

/** A name that is one slip away from what was typed. */
export function nearest(typed: string, names: string[]): string | undefined {
  const ranked = names.map((name) => ({ name, slips: slipsBetween(typed, name) })).sort((a, b) => a.slips - b.slips)
  const best = ranked[0]
  return best && best.slips <= Math.max(1, Math.ceil(best.name.length / 3)) ? best.name : undefined
}

/** Letters to add, drop or change. */
function slipsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of a.split('').entries()) {
    const next = [i + 1]
    for (const [j, other] of b.split('').entries()) {
      next.push(Math.min(row[j]! + (letter === other ? 0 : 1), row[j + 1]! + 1, next[j]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
