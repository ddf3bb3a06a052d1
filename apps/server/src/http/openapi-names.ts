import { isDeepStrictEqual } from 'node:util'

type Json = Record<string, unknown>

/** Their values are data: what looks like a schema in there is none. */
const dataKeys = new Set(['example', 'examples', 'default', 'enum', 'const'])

/**
 * Moves every schema with a `title` to `components.schemas`, under that title, and leaves a `$ref` in its place. The
 * routes keep whole schemas, so that validators and serialisers are compiled as ever; only the document refers.
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
