import type { Command, CommandOptions } from './command.ts'
import { commands } from './commands.ts'
import type { Paint } from './paint.ts'

const commonOptions = {
  json: { type: 'boolean', description: 'print JSON' },
  url: { type: 'string', value: 'url', description: 'address of the service (default: QUERYPOST_URL, or http://localhost:3000)' },
  help: { type: 'boolean', short: 'h', description: 'show this help' },
} as const satisfies CommandOptions

const textWidth = 96

/** Wraps paragraphs to the width of a usual terminal. */
function wrap(text: string): string {
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

/** The options that a command takes in addition to its own. */
export function commonOptionsOf({ common = ['json', 'url'] }: Command): CommandOptions {
  return Object.fromEntries(
    Object.entries(commonOptions).filter(([name]) => name === 'help' || common.some((taken) => taken === name)),
  )
}

const exitCodes =
  'Exit codes: 0 success, 1 failure, 2 wrong usage, 3 the service can’t be reached or rejects the API key.'

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

Run \`querypost <command> --help\` for details. Commands that call the service need QUERYPOST_API_KEY.
${exitCodes}
`
}

/** Help for the commands that begin with a word, such as `query`. Undefined if none does. */
export function helpOfFamily(word: string | undefined, paint: Paint): string | undefined {
  const family = Object.entries(commands).filter(([name]) => name.startsWith(`${word} `))
  if (family.length === 0) return undefined
  const width = Math.max(...family.map(([name]) => name.length)) + 2
  const lines = family.map(([name, { summary }]) => `  ${paint.cyan(name.padEnd(width))} ${summary}`)
  return `Usage: querypost ${word} <command> [options]\n\n${lines.join('\n')}\n`
}

export function helpOf(name: string, command: Command, paint: Paint): string {
  const options: CommandOptions = { ...command.options, ...commonOptionsOf(command) }
  const rows = Object.entries(options).map(([option, { short, value, type, description }]) => ({
    left: `${short ? `-${short}, ` : ''}--${option}${type === 'string' ? ` <${value ?? 'text'}>` : ''}`,
    description,
  }))
  const width = Math.max(...rows.map(({ left }) => left.length)) + 2
  const examples = command.examples.map(({ line, description }) => `  ${paint.dim(`# ${description}`)}\n  ${line}`)
  return `Usage: querypost ${[name, command.usage, '[options]'].filter(Boolean).join(' ')}

${wrap(command.description)}

${paint.bold('Options')}
${rows.map(({ left, description }) => `  ${paint.cyan(left.padEnd(width))} ${description}`).join('\n')}

${paint.bold('Examples')}
${examples.join('\n')}

${paint.dim(exitCodes)}
`
}
