import { Refusal } from '../refusal.ts'

/** The named fields of an object. Throws an error that names the first unknown one. */
export function fieldsOf(input: unknown, names: readonly string[], path: string): Record<string, unknown> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return refuse(path, `must be an object with ${names.join(', ')}`)
  }
  const unknownName = Object.keys(input).find((name) => !names.includes(name))
  if (unknownName !== undefined) refuse(`${path}/${unknownName}`, `is not known; the fields are ${names.join(', ')}`)
  return Object.fromEntries(
    names.map((name) => [name, Object.hasOwn(input, name) ? (input as Record<string, unknown>)[name] : undefined]),
  )
}

export function refuse(path: string, message: string): never {
  throw new Refusal('invalid_request', `The visualization is not valid: ${path} ${message}.`, [{ path, message }])
}
