import type { Operations } from './generated/operations.ts'

/** A route of the pages, such as `GET /automations/{id}`. Its input and answer types are generated from the route's schemas. */
export type OperationName = keyof Operations

export type Answer<Name extends OperationName> = Operations[Name]['answer']

export type Query<Name extends OperationName> = Operations[Name] extends { query?: infer Given } ? NonNullable<Given> : never

export type Body<Name extends OperationName> = Operations[Name] extends { body?: infer Given } ? NonNullable<Given> : never

type OrUndefined<Given> = { [Key in keyof Given]: Given[Key] | undefined }

/** The path parameters and the query of an operation. Undefined query values are omitted. */
export type UrlInput<Name extends OperationName> = (Operations[Name] extends { params: infer Params }
  ? { params: Params }
  : unknown) &
  (Operations[Name] extends { query: infer Given }
    ? { query: OrUndefined<Given> }
    : Operations[Name] extends { query?: infer Given }
      ? { query?: OrUndefined<Given> }
      : unknown)

/** The whole input of an operation, including its body. */
export type Input<Name extends OperationName> = UrlInput<Name> & Pick<Operations[Name], Extract<keyof Operations[Name], 'body'>>

/** A rest parameter that is optional if all of its fields are. */
export type Rest<Given> = object extends Given ? [given?: Given] : [given: Given]

/** The URL of an operation, for links, streams and uploads. Use `request` for everything else. */
export function operationUrl<Name extends OperationName>(name: Name, ...[given]: Rest<UrlInput<Name>>): string {
  const { params = {}, query = {} } = (given ?? {}) as {
    params?: Record<string, string>
    query?: Record<string, string | number | string[] | undefined>
  }
  const path = name.slice(name.indexOf(' ') + 1).replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key]!))
  const search = new URLSearchParams()
  for (const [key, given] of Object.entries(query)) {
    // A list is repeated parameters, because a value may contain any separator.
    for (const value of [given].flat()) if (value !== undefined) search.append(key, String(value))
  }
  return `/app/api${path}${search.size === 0 ? '' : `?${search}`}`
}

export const operationMethod = (name: OperationName) => name.slice(0, name.indexOf(' '))
