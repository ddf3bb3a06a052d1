/**
 * The JSON text of a value that may contain anything from a database or a model. PostgreSQL's jsonb accepts neither NUL nor unpaired
 * surrogates; both become the replacement character.
 */
export function storableJson(value: object): string {
  const json = JSON.stringify(value)
  // Both are rare, so the value is only traversed if one occurs.
  return /\\u(?:0000|d[89a-f])/i.test(json) ? JSON.stringify(storable(JSON.parse(json))) : json
}

export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')

function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storableText(key), storable(inner)]))
}
