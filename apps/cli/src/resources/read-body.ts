import { CommandError, type Context } from '../command.ts'
import { readInput } from '../read-input.ts'
import type { Field } from './resource.ts'

export type GivenFields = Record<string, string | boolean | string[] | boolean[] | undefined>

/** The body of a request: the JSON of `--data`, with the fields of the other options. `@file` stands for the content of a file. */
export async function readBody(context: Context, fields: Record<string, Field>, given: GivenFields): Promise<Record<string, unknown>> {
  const body = given['data'] === undefined ? {} : parseObject(await readText(context, String(given['data'])))
  for (const [option, { path, multiple }] of Object.entries(fields)) {
    const value = given[option]
    if (value === undefined) continue
    setField(body, path.split('.'), multiple ? value : await readText(context, String(value)))
  }
  return body
}

async function readText(context: Context, given: string): Promise<string> {
  return given.startsWith('@') ? (await readInput(context, given.slice(1))).toString('utf8') : given
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Reported below, like any other value that is not an object.
  }
  throw new CommandError(2, `--data must be a JSON object, or @ and the name of a file with one. Example: --data '{"title": "Orders"}'`)
}

function setField(body: Record<string, unknown>, [name, ...rest]: string[], value: unknown): void {
  if (rest.length === 0) body[name!] = value
  else setField((body[name!] ??= {}) as Record<string, unknown>, rest, value)
}
