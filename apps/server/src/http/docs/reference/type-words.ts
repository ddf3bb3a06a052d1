import { type Document, nameOf, type Schema } from './openapi-document.ts'

/** Returns a link to the description of a named schema. */
export type LinkTo = (schemaName: string) => string

/** Summarizes a schema: `integer, 1 to 100, 20 by default`, `list of [ResultField](#resultfield)`, `string or null`. */
export function typeWords(document: Document, schema: Schema, linkTo: LinkTo): string {
  const name = nameOf(schema)
  if (name !== undefined) {
    const named = document.components.schemas[name]!
    return named.properties ? linkTo(name) : typeWords(document, named, linkTo)
  }
  if (schema.anyOf) return schema.anyOf.map((each) => typeWords(document, each, linkTo)).join(' or ')
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ')
  if (schema.type === 'array') return `list of ${typeWords(document, schema.items ?? {}, linkTo)}`
  const types = [schema.type ?? 'any value'].flat().map((type) => (type === 'string' ? textType(schema) : type))
  return [types.join(' or '), ...constraints(schema)].join(', ')
}

const textType = ({ format }: Schema) => ({ uuid: 'UUID', 'date-time': 'timestamp' })[format ?? ''] ?? 'string'

function constraints(schema: Schema): string[] {
  const fallback = schema.default === undefined ? [] : [`${JSON.stringify(schema.default)} by default`]
  return [...limitWords(schema), ...fallback]
}

/** `1 to 100`, `at most 5,000 characters` */
export function limitWords({ minimum, maximum, minLength, maxLength }: Schema): string[] {
  return [
    minimum !== undefined && maximum !== undefined ? `${number(minimum)} to ${number(maximum)}` : '',
    maxLength === undefined ? '' : `${minLength ? `${minLength} to` : 'at most'} ${number(maxLength)} characters`,
  ].filter((words) => words !== '')
}

const number = (value: number) => value.toLocaleString('en-US')
