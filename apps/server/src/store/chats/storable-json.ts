/**
 * The JSON text of a value that may hold whatever a database or a model said. PostgreSQL's jsonb takes neither a NUL nor half of
 * a surrogate pair; both become the sign for what cannot be shown.
 */
export function storableJson(value: object): string {
  const json = JSON.stringify(value)
  // Almost nothing holds either, so the whole is walked through only where one shows.
  return /\\u(?:0000|d[89a-f])/i.test(json) ? JSON.stringify(storable(JSON.parse(json))) : json
}

export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')

function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storableText(key), storable(inner)]))
}
