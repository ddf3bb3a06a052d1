import type { Command, CommandOptions } from './command.ts'
import { commands } from './commands.ts'
import type { Paint } from './paint.ts'

const commonOptions = {
  json: { type: 'boolean', does: 'answer in JSON, for programs' },
  url: { type: 'string', value: 'url', does: 'the service’s address (QUERYPOST_URL; http://localhost:3000)' },
  help: { type: 'boolean', short: 'h', does: 'show this help' },
} as const satisfies CommandOptions

const textWidth = 96

/** Paragraphs, with their lines broken where a terminal of usual width wants it. */
function wrapped(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) => {
      const lines = ['']
      for (const word of paragraph.split(/\s+/)) {
        const longer = `${lines.at(-1)} ${word}`.trimStart()
        if (longer.length > textWidth) lines.push(word)
        else lines[lines.length - 1] = longer
      }
      return lines.join('\n')
    })
    .join('\n\n')
}

/** What a command takes beside its own. */
export function commonOptionsOf({ common = ['json', 'url'] }: Command): CommandOptions {
  return Object.fromEntries(
    Object.entries(commonOptions).filter(([name]) => name === 'help' || common.some((taken) => taken === name)),
  )
}

const exitCodes =
  'Exit codes: 0 done, 1 it did not succeed, 2 wrong usage,\n            3 the service cannot be reached or refuses the key.'

export function helpOfAll(paint: Paint): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length)) + 2
  const groups = Map.groupBy(Object.entries(commands), ([, { group }]) => group)
  const listed = [...groups].map(([group, entries]) => {
    const lines = entries.map(([name, { summary }]) => `  ${paint.cyan(name.padEnd(width))} ${summary}`)
    return `${paint.bold(group)}\n${lines.join('\n')}`
  })
  return `${paint.bold('querypost')}: stored SQL queries, automations and signed webhooks

Usage: querypost <command> [options]

${listed.join('\n\n')}

\`querypost <command> --help\` says more of each. Commands that call the service need QUERYPOST_API_KEY.
${exitCodes}
`
}

/** The commands that begin with one word, for those who have typed that word only. Undefined where none does. */
export function helpOfFamily(word: string | undefined, paint: Paint): string | undefined {
  const family = Object.entries(commands).filter(([name]) => name.startsWith(`${word} `))
  if (family.length === 0) return undefined
  const width = Math.max(...family.map(([name]) => name.length)) + 2
  const lines = family.map(([name, { summary }]) => `  ${paint.cyan(name.padEnd(width))} ${summary}`)
  return `Usage: querypost ${word} <command> [options]\n\n${lines.join('\n')}\n`
}

export function helpOf(name: string, command: Command, paint: Paint): string {
  const options: CommandOptions = { ...command.options, ...commonOptionsOf(command) }
  const rows = Object.entries(options).map(([option, { short, value, type, does }]) => ({
    left: `${short ? `-${short}, ` : ''}--${option}${type === 'string' ? ` <${value ?? 'text'}>` : ''}`,
    does,
  }))
  const width = Math.max(...rows.map(({ left }) => left.length)) + 2
  const examples = command.examples.map(({ line, does }) => `  ${paint.dim(`# ${does}`)}\n  ${line}`)
  return `Usage: querypost ${[name, command.usage, '[options]'].filter(Boolean).join(' ')}

${wrapped(command.description)}

${paint.bold('Options')}
${rows.map(({ left, does }) => `  ${paint.cyan(left.padEnd(width))} ${does}`).join('\n')}

${paint.bold('Examples')}
${examples.join('\n')}

${paint.dim(exitCodes)}
`
}
