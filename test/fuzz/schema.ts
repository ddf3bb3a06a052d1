/** The part of JSON Schema that the routes use. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

/** Replaces every `$ref` with its target. No schema is recursive. */
export function withoutRefs<Part>(part: Part, whole: unknown): Part {
  if (Array.isArray(part)) return part.map((each: unknown) => withoutRefs(each, whole)) as Part
  if (typeof part !== 'object' || part === null) return part
  const { $ref } = part as { $ref?: string }
  if ($ref === undefined) {
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withoutRefs(value as unknown, whole)])) as Part
  }
  let found = whole as Record<string, unknown>
  for (const step of $ref.replace(/^#\//, '').split('/')) found = found[step] as Record<string, unknown>
  return withoutRefs(found as Part, whole)
}
