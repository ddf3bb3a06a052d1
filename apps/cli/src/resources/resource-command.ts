import { type Arguments, type Command, CommandError, type CommandOptions, type Context, type ExitCode } from '../command.ts'
import { findNearest } from '../find-nearest.ts'
import { openClient, toCommandError } from '../service-client.ts'
import { cellText } from '../table.ts'
import { readFirst, readLimit, writeList } from '../write-list.ts'
import { readBody } from './read-body.ts'
import { type Action, actions, type Body, type Resource } from './resource.ts'

/** The command of a resource. Its first operand is the action, the second the id. */
export function defineResourceCommand(
  resource: Resource,
  { description, examples }: Pick<Command, 'description' | 'examples'>,
): Command {
  const possible = actions.filter((action) => resource[action] !== undefined)
  const isChangeable = resource.update !== undefined
  return {
    usage: `<${possible.join(' | ')}> [id]`,
    description,
    examples,
    options: { ...listOptions, ...fieldOptions(resource), ...(isChangeable && changeOptions) },
    async run(context, { operands, options }) {
      const [word, id, ...others] = operands
      if (others.length > 0) throw new CommandError(2, `${others[0]} is one argument too many.`)
      const action = readAction(word, possible)
      try {
        return await act(context, resource, { action, id: readId(action, id), options })
      } catch (error) {
        if (context.signal.aborted) return 1
        throw toCommandError(error)
      }
    },
  }
}

const listOptions = {
  limit: { type: 'string', value: 'n', default: '50', description: 'list: show at most this many; 0 for all (default: 50)' },
} as const satisfies CommandOptions

const changeOptions = {
  data: { type: 'string', value: 'json', description: 'create, update: all fields as JSON, or @file' },
  'if-version': { type: 'string', value: 'version', description: 'update, delete: only if it still has this version' },
} as const satisfies CommandOptions

function fieldOptions({ fields }: Resource): CommandOptions {
  const options = Object.entries(fields).map(([name, { value, description, multiple }]) => [
    name,
    { type: 'string', value, description, ...(multiple && { multiple }) },
  ])
  return Object.fromEntries(options) as CommandOptions
}

function readAction(word: string | undefined, possible: Action[]): Action {
  const found = possible.find((action) => action === word)
  if (found) return found
  const nearest = word === undefined ? undefined : findNearest(word, possible)
  const hint = nearest === undefined ? `Say what to do: ${possible.join(', ')}.` : `Did you mean "${nearest}"?`
  throw new CommandError(2, word === undefined ? hint : `"${word}" is not possible here. ${hint}`)
}

function readId(action: Action, id: string | undefined): string {
  const needsId = action !== 'list' && action !== 'create'
  if (needsId && id === undefined) throw new CommandError(2, `Name the id after ${action}.`)
  if (!needsId && id !== undefined) throw new CommandError(2, `${id} is one argument too many.`)
  return id ?? ''
}

async function act(
  context: Context,
  resource: Resource,
  { action, id, options }: { action: Action; id: string; options: Arguments['options'] },
): Promise<ExitCode> {
  if (action === 'list') return list(context, resource, String(options['limit']))
  const { signal } = context
  const body = action === 'create' || action === 'update' ? await readBody(context, resource.fields, options) : {}
  const client = openClient(context)
  const version = options['if-version']
  const calls: Record<Exclude<Action, 'list'>, () => Promise<object>> = {
    get: () => resource.get!(client, id, { signal }),
    create: () => resource.create!(client, body as Body, { signal }),
    update: () => resource.update!(client, id, body as Body, { signal, version }),
    delete: () => resource.delete!(client, id, { signal, version }),
  }
  writeItem(context, await calls[action]())
  return 0
}

async function list(context: Context, resource: Resource, limit: string): Promise<ExitCode> {
  const maxCount = readLimit(limit)
  const found = await readFirst(context, resource.list(openClient(context), { limit: 100, signal: context.signal }), maxCount)
  if (!found) return 1
  const columns = resource.columns.map(({ isNumber = false, ...column }) => ({ ...column, isNumber }))
  writeList(context, found, {
    columns,
    rowOf: (item) => columns.map(({ name }) => shortValue((item as Record<string, unknown>)[name])),
    whenEmpty: `No ${resource.nouns} yet.`,
  })
  return 0
}

const shortValue = (value: unknown): unknown => (Array.isArray(value) ? value.join(', ') : value)

/** One line per field. Nested values are only in the JSON. */
function writeItem({ stdout, isJson, paint }: Context, item: object): void {
  if (isJson) {
    stdout.write(`${JSON.stringify(item)}\n`)
    return
  }
  const fields = Object.entries(item).filter(([, value]) => value !== null && typeof value !== 'object')
  const width = Math.max(...fields.map(([name]) => name.length))
  for (const [name, value] of fields) stdout.write(`${paint.stdout.dim(name.padEnd(width))}  ${cellText(value)}\n`)
}
