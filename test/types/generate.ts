import type { JsonSchema, OpenapiDocument, OpenapiOperation } from './openapi-document.ts'
import { comment, keyText, literalText, typeName, typeText } from './type-text.ts'

export interface GenerateOptions {
  /** The first line of each file, which names its source. */
  head: string
  /** The content types whose schemas become response types. Other responses are `unknown`. */
  contentTypes: string[]
  isBodyOptional(body: NonNullable<OpenapiOperation['requestBody']>): boolean
}

const options: GenerateOptions = {
  head: '// Made from the service’s OpenAPI document by `npm run types`; a test keeps it so. Not for editing.\n\n',
  contentTypes: ['application/json'],
  // A route whose body has no required field may be called without one.
  isBodyOptional: ({ content }) => !content['application/json']?.schema.required?.length,
}

/** The files of `src/generated`, by name. The output depends only on the document. */
export function generate(document: OpenapiDocument): Record<string, string> {
  return { 'schemas.ts': schemasText(document, options), 'operations.ts': operationsText(document) }
}

/** A type for every named schema. */
export function schemasText({ components }: OpenapiDocument, { head }: GenerateOptions): string {
  const types = Object.entries(components.schemas).map(([named, schema]) => {
    const name = typeName(named)
    const text = typeText(schema)
    const declared = text.startsWith('{') && text.endsWith('}') && !schema.anyOf ? `export interface ${name} ${text}` : `export type ${name} =${broken(text)}`
    return `${comment(schema.description)}${declared}\n`
  })
  return head + types.join('\n')
}

/** Puts each member of a long union on its own line. */
const broken = (text: string) =>
  text.length > 90 && !text.includes('{') ? `\n  | ${text.split(' | ').join('\n  | ')}` : ` ${text}`

function operationsText(document: OpenapiDocument): string {
  const routes = operationsOf(document).map(
    ({ path, method, operation }) =>
      `  ${keyText(operation.operationId)}: { method: ${literalText(method)}, path: ${literalText(path)} },\n`,
  )
  const found = `/** Where each operation is found. */\nexport const routes = {\n${routes.join('')}} as const\n\n`
  return operationTypesText(document, options, found)
}

/** The input and response types of every operation, by id. `before` goes between the imports and the types. */
export function operationTypesText(document: OpenapiDocument, given: GenerateOptions, before = ''): string {
  const known = Object.keys(document.components.schemas).map(typeName)
  const shapes = operationsOf(document).map(({ operation }) => {
    const members = [...inputText(operation, given), `    answer: ${answerText(operation, given)}\n`]
    return `${comment(operation.summary, '  ')}  ${keyText(operation.operationId)}: {\n${members.join('')}  }\n`
  })
  const body = `${before}/** What each operation takes, and what it answers when it succeeds. */\nexport interface Operations {\n${shapes.join('')}}\n`
  const used = known.filter((name) => new RegExp(`[:(|] ?${name}\\b(?!:)`).test(body)).toSorted()
  const imports = used.length > 0 ? `import type {\n${used.map((name) => `  ${name},\n`).join('')}} from './schemas.ts'\n\n` : ''
  return given.head + imports + body
}

function operationsOf({ paths }: OpenapiDocument) {
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
    )
    .toSorted((a, b) => (a.operation.operationId < b.operation.operationId ? -1 : 1))
}

function inputText({ parameters = [], requestBody }: OpenapiOperation, { isBodyOptional }: GenerateOptions): string[] {
  const members: string[] = []
  for (const [place, key] of [['path', 'params'], ['query', 'query']] as const) {
    const its = parameters.filter((each) => each.in === place)
    if (its.length === 0) continue
    const described = its.map(({ name, schema, description = '' }) => [name, { ...schema, description }])
    const properties = Object.fromEntries(described) as Record<string, JsonSchema>
    const required = its.filter((each) => each.required && !('default' in each.schema)).map(({ name }) => name)
    members.push(`    ${key}${required.length > 0 ? '' : '?'}: ${typeText({ type: 'object', properties, required }, '    ')}\n`)
  }
  const body = requestBody?.content['application/json']?.schema
  if (body) members.push(`    body${isBodyOptional(requestBody) ? '?' : ''}: ${typeText(body, '    ')}\n`)
  return members
}

/** The response types of the successful statuses. Responses other than JSON are left to the caller. */
function answerText({ responses }: OpenapiOperation, { contentTypes }: GenerateOptions): string {
  const texts = Object.entries(responses).flatMap(([status, { content = {} }]) => {
    const schema = status.startsWith('2') ? contentTypes.map((type) => content[type]?.schema).find((each) => each !== undefined) : undefined
    return schema ? [typeText(schema, '    ')] : []
  })
  return [...new Set(texts)].join(' | ') || 'unknown'
}
