import { isDeepStrictEqual } from 'node:util'

type Json = Record<string, unknown>

/** The values of these keys are data, not schemas. */
const dataKeys = new Set(['example', 'examples', 'default', 'enum', 'const'])

/**
 * Moves every schema with a `title` to `components.schemas` and replaces it with a `$ref`. Only the document uses references; the
 * routes keep the complete schemas for validation and serialization.
 */
export function nameSchemas(part: unknown, named: Record<string, Json>): unknown {
  if (Array.isArray(part)) return part.map((each) => nameSchemas(each, named))
  if (typeof part !== 'object' || part === null) return part
  const entries = Object.entries(part).map(([key, value]) => [key, dataKeys.has(key) ? value : nameSchemas(value, named)])
  const { title, ...schema } = Object.fromEntries(entries) as Json
  if (typeof title !== 'string') return Object.fromEntries(entries)
  const before = named[title]
  const isAnother = before !== undefined && !isDeepStrictEqual(before, schema)
  if (isAnother) throw new Error(`Two different schemas are named ${title}. Give one of them another title.`)
  named[title] = schema
  return { $ref: `#/components/schemas/${title}` }
}
