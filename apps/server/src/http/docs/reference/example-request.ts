import { resolve } from './field-rows.ts'
import type { Document, Parameter, Route, Schema } from './openapi-document.ts'

/** A request that shows how to call a route, made of the examples in the OpenAPI document. */
export interface ExampleRequest {
  method: string
  /** `/api/queries/0196a1c2-…` */
  path: string
  /** The values in the path, in order. */
  pathValues: string[]
  query: Record<string, unknown>
  /** Undefined when the route takes none, or only an empty one. */
  body: unknown
  /** The version that a change is based on, for routes that need `If-Match`. */
  version: number | undefined
  /** The extension of the file that the route returns. */
  fileType: string | undefined
  /** The response is read piece by piece: events, or JSON lines. */
  isStream: boolean
  /** The route returns a list page by page. */
  isList: boolean
}

export function exampleRequest(document: Document, { method, path, operation }: Route): ExampleRequest {
  const { parameters = [] } = operation
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const inQuery = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  return {
    method,
    path: inPath.reduce((filled, { name, example }) => filled.replace(`{${name}}`, encodeURIComponent(String(example))), path),
    pathValues: inPath.map(({ example }) => String(example)),
    query: Object.fromEntries(inQuery.map((parameter) => [parameter.name, parameterExample(document, parameter)])),
    body: exampleBody(document, bodySchema(operation.requestBody)),
    version: parameters.some(({ name, example }) => name === 'if-match' && example === '"1"') ? 1 : undefined,
    fileType: operation.responses['200']?.content?.['image/png'] && 'png',
    isStream: Object.values(operation.responses).some(
      ({ content }) => content?.['text/event-stream'] ?? (content?.['application/jsonl'] && !content['application/json']),
    ),
    isList: parameters.some(({ name }) => name === 'cursor' || name === 'after'),
  }
}

export const bodySchema = (body: Route['operation']['requestBody']): Schema | undefined =>
  body?.content['application/json']?.schema

const parameterExample = (document: Document, { example, schema }: Parameter) => example ?? exampleValue(document, schema)

/** The required fields; if there are none, those with an example, because an empty body would show nothing. */
function exampleBody(document: Document, schema: Schema | undefined): unknown {
  const { properties = {}, required = [] } = schema ?? {}
  const names = required.length > 0 ? required : Object.keys(properties).filter((name) => properties[name]!.examples)
  if (names.length === 0) return undefined
  return Object.fromEntries(names.map((name) => [name, exampleValue(document, properties[name] ?? {})]))
}

export function exampleValue(document: Document, schema: Schema): unknown {
  const { examples, const: constant, enum: choices, anyOf, items, properties, type, format, ...rest } = resolve(document, schema)
  const given = examples?.[0] ?? constant ?? choices?.[0] ?? rest.default
  if (given !== undefined) return given
  if (anyOf) return exampleValue(document, anyOf[0]!)
  if (items) return [exampleValue(document, items)]
  if (properties) {
    return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, exampleValue(document, field)]))
  }
  const [first] = [type ?? 'null'].flat()
  if (first === 'string') return format === 'date-time' ? '2026-01-05T09:00:00.000Z' : '…'
  return { integer: 1, number: 1, boolean: false, object: {}, array: [] }[first!] ?? null
}
