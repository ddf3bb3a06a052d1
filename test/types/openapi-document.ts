/** The part of OpenAPI 3.1 that the service's document uses and the types are generated from. */
export interface OpenapiDocument {
  components: { schemas: Record<string, JsonSchema> }
  paths: Record<string, Record<string, OpenapiOperation>>
}

export interface OpenapiOperation {
  operationId: string
  summary: string
  deprecated?: boolean
  parameters?: OpenapiParameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>
}

export interface OpenapiParameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: JsonSchema
}

export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  description?: string
}
