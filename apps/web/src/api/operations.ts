import type { Operations } from './generated/operations.ts'

/** A route of the pages, by its method and path: `GET /automations/{id}`. What it takes and answers is generated from its schemas. */
export type OperationName = keyof Operations

export type Answer<Name extends OperationName> = Operations[Name]['answer']

export type Query<Name extends OperationName> = Operations[Name] extends { query?: infer Given } ? NonNullable<Given> : never

export type Body<Name extends OperationName> = Operations[Name] extends { body?: infer Given } ? NonNullable<Given> : never

type OrUndefined<Given> = { [Key in keyof Given]: Given[Key] | undefined }

/** What the address of an operation is made of. A value of the query that is undefined is left out. */
export type AddressInput<Name extends OperationName> = (Operations[Name] extends { params: infer Params }
  ? { params: Params }
  : unknown) &
  (Operations[Name] extends { query: infer Given }
    ? { query: OrUndefined<Given> }
    : Operations[Name] extends { query?: infer Given }
      ? { query?: OrUndefined<Given> }
      : unknown)

/** All of what is sent. */
export type Input<Name extends OperationName> = AddressInput<Name> & Pick<Operations[Name], Extract<keyof Operations[Name], 'body'>>

/** The rest of a function's arguments: one that may be left out where nothing has to be said. */
export type Rest<Given> = object extends Given ? [given?: Given] : [given: Given]

/** Where the browser finds an operation: for links, streams and uploads. `request` is for everything else. */
export function addressOf<Name extends OperationName>(name: Name, ...[given]: Rest<AddressInput<Name>>): string {
  const { params = {}, query = {} } = (given ?? {}) as {
    params?: Record<string, string>
    query?: Record<string, string | number | undefined>
  }
  const path = name.slice(name.indexOf(' ') + 1).replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key]!))
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value))
  return `/app/api${path}${search.size === 0 ? '' : `?${search}`}`
}

export const methodOf = (name: OperationName) => name.slice(0, name.indexOf(' '))
