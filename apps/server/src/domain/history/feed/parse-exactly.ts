/** `JSON.rawJSON` and the reviver's context, which TypeScript does not know yet. */
type Exact = {
  rawJSON(text: string): unknown
  parse(text: string, reviver: (key: string, value: unknown, context: { source: string }) => unknown): unknown
}

/** Parses JSON so that numbers are written again as they were, also those that JavaScript cannot represent. */
export function parseExactly(text: string): unknown {
  const json = JSON as unknown as Exact
  return json.parse(text, (_key, value, { source }) => (typeof value === 'number' ? json.rawJSON(source) : value))
}
