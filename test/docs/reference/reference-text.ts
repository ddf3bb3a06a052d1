import {
  type LinkTo,
  nameOf,
  type OpenapiDocument as Document,
  type OpenapiOperation as Operation,
  type OpenapiSchema as Schema,
  operationsOf,
  typeWords,
} from '@querypost/server/documentation'

/** Describes a route: its path, purpose, parameters and body. */
export function routeText(document: Document, operationId: string, linkTo: LinkTo): string {
  const { method, path, operation } = findOperation(document, operationId)
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema
  return [
    `\`${method} ${path}\``,
    operation.description ?? '',
    parameterTable(document, operation, linkTo),
    body?.properties && Object.keys(body.properties).length > 0 ? fieldTable(document, body, 'Body', linkTo) : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** Describes the responses of a route, including its error codes. */
export function answersText(document: Document, operationId: string, linkTo: LinkTo): string {
  return answerTable(document, findOperation(document, operationId).operation, linkTo)
}

function findOperation(document: Document, operationId: string) {
  const found = operationsOf(document).find(({ operation }) => operation.operationId === operationId)
  if (!found) throw new Error(`There is no operation ${operationId}. Remove its regions from the reference.`)
  return found
}

/** Describes a named schema and its fields. */
export function schemaText(document: Document, name: string, linkTo: LinkTo): string {
  const schema = document.components.schemas[name]
  if (!schema) throw new Error(`There is no schema ${name}. Remove its region from the reference.`)
  const parts = [`### ${name}`, schema.description ?? '', fieldTable(document, schema, 'Field', linkTo)]
  return parts.filter((part) => part !== '').join('\n\n')
}

function parameterTable(document: Document, { parameters = [] }: Operation, linkTo: LinkTo): string {
  if (parameters.length === 0) return ''
  const places = ['path', 'query', 'header']
  const inOrder = parameters.toSorted((a, b) => places.indexOf(a.in) - places.indexOf(b.in))
  const rows = inOrder.map(({ name, in: place, required, description = '', schema }) => {
    const isOptional = place !== 'path' && (!required || schema.default !== undefined)
    const type = `${typeWords(document, schema, linkTo)}${isOptional ? '; optional' : ''}`
    return [`\`${name}\``, place, type, description]
  })
  return table(['Parameter', 'In', 'Type', ''], rows)
}

function fieldTable(document: Document, schema: Schema, title: string, linkTo: LinkTo): string {
  return table([title, 'Type', ''], fieldRows(document, schema, linkTo))
}

/** The fields of an object. Those of an unnamed nested object follow it: `currentQuery.sql`, `details[].path`. */
function fieldRows(document: Document, schema: Schema, linkTo: LinkTo, before = ''): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const isOptional = !(schema.required ?? []).includes(name)
    const type = `${typeWords(document, field, linkTo)}${isOptional ? '; optional' : ''}`
    const row = [`\`${before}${name}\``, type, descriptionOf(document, field)]
    const below = fieldRows(document, field, linkTo, `${before}${name}.`)
    const listed = field.items ? fieldRows(document, field.items, linkTo, `${before}${name}[].`) : []
    return [[row], below, listed].flat()
  })
}

/** Descriptions of schemas other than objects are shown where they are used. Timestamps need none. */
function descriptionOf(document: Document, field: Schema): string {
  const named = document.components.schemas[nameOf(field) ?? '']
  const description = field.description ?? (named && !named.properties ? named.description : undefined) ?? ''
  return description === 'ISO 8601, UTC' ? '' : description
}

function answerTable(document: Document, operation: Operation, linkTo: LinkTo): string {
  const rows = Object.entries(operation.responses)
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .map(([status, answer]) => {
      const codes = answer['x-error-codes']
      if (codes) return [status, codes.map((code) => `[\`${code}\`](../errors.md#${code})`).join(', ')]
      const kinds = Object.entries(answer.content ?? {}).map(([kind, { schema }]) =>
        kind === 'application/json' ? typeWords(document, schema, linkTo) : `\`${kind}\``,
      )
      return [status, [kinds.join(' or '), answer.description].filter(Boolean).join(': ')]
    })
  return table(['Status', 'Answer'], rows)
}

function table(headings: string[], rows: string[][]): string {
  return [tableLine(headings), `|${headings.map(() => '---').join('|')}|`, ...rows.map(tableLine)].join('\n')
}

const tableLine = (cells: string[]) =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')).join(' | ')} |`
