import type { Request } from './attempt.ts'
import { type Operations, routes } from './generated/operations.ts'
import { type CallOptions, readJson, type Transport } from './transport.ts'

export type OperationId = keyof Operations
/** The input: path parameters, query string and body. */
export type Input<Id extends OperationId> = Omit<Operations[Id], 'answer'>
export type Answer<Id extends OperationId> = Operations[Id]['answer']

interface AnyInput {
  params?: Record<string, string>
  query?: Record<string, string | number | readonly string[] | undefined>
  body?: unknown
}

/** The request of an operation, built from the service's own description of it. */
export function requestFor<Id extends OperationId>(id: Id, input: Input<Id>): Request {
  const { method, path } = routes[id]
  const { params = {}, query = {}, body } = input as AnyInput
  return { method, path: fillPath(path, params) + queryText(query), ...(body !== undefined && { body }) }
}

/** Carries out an operation and reads its response. */
export async function callOperation<Id extends OperationId>(
  transport: Transport,
  id: Id,
  input: Input<Id>,
  options: CallOptions & { isIdempotent?: boolean; headers?: Record<string, string> } = {},
): Promise<Answer<Id>> {
  const { isIdempotent, headers } = options
  const request = { ...requestFor(id, input), ...(isIdempotent !== undefined && { isIdempotent }), ...(headers && { headers }) }
  return transport.send(request, options, (response) => readJson<Answer<Id>>(response))
}

/** An id stays one path segment, whatever it contains; an empty one, or a dot, would lead to another route. */
function fillPath(path: string, params: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
      throw new TypeError(`${name} must be an id, not ${JSON.stringify(value)}.`)
    }
    return encodeURIComponent(value)
  })
}

function queryText(query: NonNullable<AnyInput['query']>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value ?? []].flat()) search.append(name, String(each))
  }
  const text = search.toString()
  return text && `?${text}`
}
