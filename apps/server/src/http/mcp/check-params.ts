import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'

const schemas = new Map<unknown, typeof CallToolRequestSchema>(
  [
    InitializeRequestSchema,
    ListToolsRequestSchema,
    CallToolRequestSchema,
    ListResourcesRequestSchema,
    ReadResourceRequestSchema,
  ].map((schema) => [schema.shape.method.value, schema as unknown as typeof CallToolRequestSchema]),
)

/**
 * The error for a request whose params do not match its method; undefined if they match. The SDK would report an internal error
 * instead.
 */
export function rejectParams(message: { id?: unknown; method?: unknown }): object | undefined {
  const { id, method } = message
  if (typeof id !== 'string' && typeof id !== 'number') return undefined
  const checked = schemas.get(method)?.safeParse(message)
  if (!checked || checked.success) return undefined
  const { path, message: fault } = checked.error.issues[0]!
  const text = `The request is not valid: ${path.join('/')}: ${fault}.`
  return { jsonrpc: '2.0', id, error: { code: ErrorCode.InvalidParams, message: text } }
}
