import { otlpEnumerations, otlpMessages } from './otlp-messages.ts'

/**
 * Checks a value against OTLP's definitions, in the JSON form that OTLP prescribes: ids in hexadecimal, 64-bit integers as decimal text.
 * Returns the faults, each with its place.
 */
export function findOtlpFaults(type: string, value: unknown, place = type): string[] {
  if (type.endsWith('[]')) {
    if (!Array.isArray(value)) return [`${place} is not a list`]
    return value.flatMap((each, index) => findOtlpFaults(type.slice(0, -2), each, `${place}[${index}]`))
  }
  const fields = otlpMessages[type]
  if (!fields) return isScalar(type, value, place) ? [] : [`${place} is not a ${type}: ${JSON.stringify(value)}`]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${place} is not a ${type}`]
  return Object.entries(value).flatMap(([name, field]) =>
    fields[name] === undefined ? [`${place} has the unknown field ${name}`] : findOtlpFaults(fields[name], field, `${place}.${name}`),
  )
}

function isScalar(type: string, value: unknown, place: string): boolean {
  const isText = typeof value === 'string'
  switch (type) {
    case 'string':
      return isText
    case 'bool':
      return typeof value === 'boolean'
    case 'double':
      return typeof value === 'number'
    case 'bytes':
      return isText && new RegExp(`^[0-9a-f]{${place.endsWith('traceId') ? 32 : 16}}$`).test(value)
    case 'fixed64':
      return isText && /^\d+$/.test(value)
    case 'int64':
    case 'sfixed64':
      return isText && /^-?\d+$/.test(value)
    case 'uint32':
    case 'fixed32':
      return Number.isInteger(value) && Number(value) >= 0
  }
  const count = otlpEnumerations[type]
  return count !== undefined && Number.isInteger(value) && Number(value) >= 0 && Number(value) < count
}
