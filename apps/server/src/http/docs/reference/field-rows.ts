import { type Document, nameOf, type Operation, type Parameter, type Schema } from './openapi-document.ts'
import { typeWords } from './type-words.ts'

/** A parameter or a field as the reference shows it. `type` and `description` are Markdown. */
export interface FieldRow {
  name: string
  type: string
  isRequired: boolean
  description: string
  /** The fields of an object, or of the objects in a list. */
  children: FieldRow[]
}

export function parameterRows(document: Document, { parameters = [] }: Operation, place: Parameter['in']): FieldRow[] {
  return parameters
    .filter((parameter) => parameter.in === place)
    .map((parameter) => ({
      name: parameter.name,
      type: typeWords(document, parameter.schema, (name) => name),
      isRequired: isRequired(parameter),
      description: parameter.description ?? '',
      children: [],
    }))
}

/** The document calls a parameter with a default required, because the service always has a value for it. */
export const isRequired = ({ required, schema }: Parameter): boolean => required === true && schema.default === undefined

export function fieldRows(document: Document, schema: Schema): FieldRow[] {
  const { properties = {}, required = [] } = objectWithin(document, schema)
  return Object.entries(properties).map(([name, field]) => ({
    name,
    type: typeWords(document, field, (schemaName) => schemaName),
    isRequired: required.includes(name),
    description: descriptionOf(document, field),
    children: fieldRows(document, field),
  }))
}

/** A response or an event may be one of several objects, each with a name. */
export function variantsOf(document: Document, schema: Schema): { name: string; rows: FieldRow[] }[] {
  const variants = schema.anyOf ?? [schema]
  return variants.map((variant) => ({ name: nameOf(variant) ?? '', rows: fieldRows(document, variant) }))
}

export function resolve(document: Document, schema: Schema): Schema {
  const name = nameOf(schema)
  return name === undefined ? schema : document.components.schemas[name]!
}

/** The object that a field is, may be, or is a list of. No schema contains itself. */
function objectWithin(document: Document, schema: Schema): Schema {
  const resolved = resolve(document, schema)
  if (resolved.items) return objectWithin(document, resolved.items)
  const objects = (resolved.anyOf ?? []).map((choice) => objectWithin(document, choice)).filter(({ properties }) => properties)
  return objects.length === 1 ? objects[0]! : resolved
}

function descriptionOf(document: Document, field: Schema): string {
  const choices = [field, ...(field.anyOf ?? []), field.items ?? {}]
  const described = choices.flatMap((choice) => [choice, resolve(document, choice)]).find(({ description }) => description)
  // The type column already says "timestamp".
  return described === undefined || described.description === 'ISO 8601, UTC' ? '' : described.description!
}
