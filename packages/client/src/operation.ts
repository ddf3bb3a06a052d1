import type { Request } from './attempt.ts'
import { type Operations, routes } from './generated/operations.ts'
import { idempotencyKeyHeader, readJson, type Transport, type WriteOptions } from './transport.ts'

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
  options: OperationOptions = {},
): Promise<Answer<Id>> {
  const { isIdempotent } = options
  const request = requestFor(id, input)
  const headers = headersOf(transport, request, options)
  const sent = { ...request, headers, ...(isIdempotent !== undefined && { isIdempotent }) }
  return transport.send(sent, options, (response) => readJson<Answer<Id>>(response))
}

export interface OperationOptions extends WriteOptions {
  isIdempotent?: boolean
  /** The version that a change is based on. */
  version?: Version | undefined
}

/** A number, or the text of an `ETag` without its quotes. */
export type Version = number | string

/** For calls that change what you have read. If it has changed since, the call rejects with `ConflictError`, whose `currentVersion` names the current one. */
export interface ChangeOptions extends WriteOptions {
  version?: Version | undefined
}

/** Every attempt of a call sends the same key. A POST that only reads needs none. */
function headersOf(transport: Transport, { method }: Request, options: OperationOptions): Record<string, string> {
  const { isIdempotent, version, idempotencyKey } = options
  const needsKey = method === 'POST' && !isIdempotent
  return {
    ...(version !== undefined && { 'if-match': `"${version}"` }),
    ...(needsKey && { [idempotencyKeyHeader]: idempotencyKey ?? transport.newIdempotencyKey() }),
  }
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
