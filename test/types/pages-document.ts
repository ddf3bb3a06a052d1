import { errorCodes } from '@querypost/server/model'
import { ErrorResponse, nameSchemas } from '@querypost/server/documentation'
import type { CollectedRoute } from '@querypost/server/testing'
import type {
  JsonSchema,
  OpenapiDocument,
  OpenapiOperation,
  OpenapiParameter,
} from './openapi-document.ts'

const prefix = '/app/api'
/** Read by the pages of viewers, which have their own client. */
const viewersPrefix = '/public/api'

/**
 * The routes of the web app as an OpenAPI document, from which types are generated like those of the client. It is not published, since
 * these routes change with the pages. Of the routes that viewers' pages read, only the schemas are included.
 */
export function pagesDocument(routes: CollectedRoute[]): OpenapiDocument {
  const schemas: Record<string, JsonSchema> = {}
  nameSchemas(refusal, schemas as Record<string, Record<string, unknown>>)
  const paths: OpenapiDocument['paths'] = {}
  for (const { method, url, schema, config } of routes.filter(({ url }) => url.startsWith(`${prefix}/`))) {
    const path = url.slice(prefix.length).replaceAll(/:(\w+)/g, '{$1}')
    const isBodyOptional = config?.anyContentType ?? false
    const operation = operationOf(`${method} ${path}`, plain(schema ?? {}) as RouteSchema, isBodyOptional)
    const methods = (paths[path] ??= {})
    methods[method.toLowerCase()] = nameSchemas(operation, schemas as Record<string, Record<string, unknown>>) as OpenapiOperation
  }
  for (const { method, url, schema } of routes.filter(({ url }) => url.startsWith(`${viewersPrefix}/`))) {
    const operation = operationOf(`${method} ${url}`, plain(schema ?? {}) as RouteSchema, false)
    nameSchemas(operation, schemas as Record<string, Record<string, unknown>>)
  }
  const sorted = Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { components: { schemas: Object.fromEntries(sorted) }, paths }
}

/** The error response of any route, with all error codes. */
const refusal = {
  ...ErrorResponse,
  properties: { ...ErrorResponse.properties, code: { ...ErrorResponse.properties.code, enum: Object.keys(errorCodes).toSorted() } },
}

interface RouteSchema {
  params?: JsonSchema
  querystring?: JsonSchema
  body?: JsonSchema
  response?: Record<string, JsonSchema | { content: Record<string, { schema: JsonSchema }> }>
}

function operationOf(operationId: string, schema: RouteSchema, isBodyOptional: boolean): OpenapiOperation {
  const { params, querystring, body, response = {} } = schema
  const responses = Object.entries(response).map(([status, answer]) => [
    status,
    { content: 'content' in answer ? answer.content : { 'application/json': { schema: answer } } },
  ])
  return {
    operationId,
    summary: '',
    parameters: [...parametersIn('path', params), ...parametersIn('query', querystring)],
    ...(body && { requestBody: { required: !isBodyOptional, content: { 'application/json': { schema: body } } } }),
    responses: Object.fromEntries(responses) as OpenapiOperation['responses'],
  }
}

function parametersIn(place: OpenapiParameter['in'], schema: JsonSchema | undefined): OpenapiParameter[] {
  return Object.entries(schema?.properties ?? {}).map(([name, each]) => ({
    name,
    in: place,
    required: schema!.required?.includes(name) ?? false,
    description: each.description ?? '',
    schema: each,
  }))
}

/**
 * Removes what only serializers and validators need: a nullable named object refers to the same type as a required one, and records have
 * one notation.
 */
function plain(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(plain)
  if (typeof part !== 'object' || part === null) return part
  const { patternProperties, ...schema } = Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, plain(value)]),
  ) as Record<string, unknown>
  const [record] = Object.values((patternProperties as object | undefined) ?? {})
  const { title, type, format } = schema
  // Binary content is left to the caller.
  if (format === 'binary') return {}
  if (typeof title === 'string' && Array.isArray(type) && type.includes('null')) {
    return { anyOf: [{ ...schema, type: 'object' }, { type: 'null' }] }
  }
  return record === undefined ? schema : { ...schema, additionalProperties: record as unknown }
}
