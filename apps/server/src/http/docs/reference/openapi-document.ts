/** The part of OpenAPI 3.1 that the reference uses. */
export interface Document {
  tags: { name: string; description: string }[]
  components: { schemas: Record<string, Schema> }
  paths: Record<string, Record<string, Operation>>
}

export interface Operation {
  operationId: string
  summary: string
  tags?: string[]
  deprecated?: boolean
  description?: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, Answer>
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  example?: unknown
  schema: Schema
}

export interface Answer {
  description: string
  content?: Record<string, { schema: Schema }>
  'x-error-codes'?: string[]
}

export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  description?: string
}

export interface Route {
  method: string
  path: string
  operation: Operation
}

export function operationsOf(document: Document): Route[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

export const nameOf = (schema: Schema): string | undefined => schema.$ref?.split('/').at(-1)
