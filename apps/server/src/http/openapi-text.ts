type Json = Record<string, unknown>

/** What `guardText` rejects in every request. Half surrogate pairs can't be written in a pattern. */
export const noNulPattern = String.raw`^[^\u0000]*$`

/** Keys whose values are data, not schemas. */
const dataKeys = new Set(['example', 'examples', 'default', 'enum', 'const'])

interface Documented {
  parameters?: { schema: Json }[]
  requestBody?: unknown
}

/** Adds to every text of a request that it has no NUL, because the service rejects it anywhere. Named schemas are changed in place. */
export function forbidNul(operations: Iterable<Documented>, named: Record<string, Json>): void {
  const seen = new Set<unknown>()
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null || seen.has(part)) return
    seen.add(part)
    if (Array.isArray(part)) return part.forEach(visit)
    const schema = part as Json
    const reference = schema['$ref']
    if (typeof reference === 'string') return visit(named[reference.split('/').at(-1)!])
    if (isFreeText(schema)) schema['pattern'] = noNulPattern
    for (const [key, value] of Object.entries(schema)) if (!dataKeys.has(key)) visit(value)
  }
  for (const { parameters = [], requestBody } of operations) {
    for (const { schema } of parameters) visit(schema)
    visit(requestBody)
  }
}

/** A property may be called `type` too, but its value is then a schema and not a name of types. */
function isFreeText({ type, enum: values, const: value, pattern }: Json): boolean {
  const isText = type === 'string' || (Array.isArray(type) && type.includes('string'))
  return isText && values === undefined && value === undefined && pattern === undefined
}
