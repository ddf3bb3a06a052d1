import type { JsonSchema, OpenapiDocument, OpenapiOperation } from './openapi-document.ts'
import { comment, keyText, literalText, typeName, typeText } from './type-text.ts'

const head =
  '// Made from the service’s OpenAPI document by `npm run types -w packages/client`; a test keeps it so. Not for editing.\n\n'

/** The files of `src/generated`, by name. The same document always makes the same text. */
export function generate(document: OpenapiDocument): Record<string, string> {
  return { 'schemas.ts': schemasText(document), 'operations.ts': operationsText(document) }
}

function schemasText({ components }: OpenapiDocument): string {
  const types = Object.entries(components.schemas).map(([named, schema]) => {
    const name = typeName(named)
    const text = typeText(schema)
    const declared = text.startsWith('{') ? `export interface ${name} ${text}` : `export type ${name} =${broken(text)}`
    return `${comment(schema.description)}${declared}\n`
  })
  return head + types.join('\n')
}

/** A long union stands in a line for each. */
const broken = (text: string) => (text.length > 90 ? `\n  | ${text.split(' | ').join('\n  | ')}` : ` ${text}`)

function operationsText(document: OpenapiDocument): string {
  const operations = Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
    )
    .toSorted((a, b) => (a.operation.operationId < b.operation.operationId ? -1 : 1))
  const known = new Set(Object.keys(document.components.schemas).map(typeName))
  const routes = operations.map(
    ({ path, method, operation }) =>
      `  ${keyText(operation.operationId)}: { method: ${literalText(method)}, path: ${literalText(path)} },\n`,
  )
  const shapes = operations.map(({ operation }) => {
    const members = [...inputText(operation), `    answer: ${answerText(operation)}\n`]
    return `${comment(operation.summary, '  ')}  ${keyText(operation.operationId)}: {\n${members.join('')}  }\n`
  })
  const body = `/** Where each operation is found. */\nexport const routes = {\n${routes.join('')}} as const\n
/** What each operation takes, and what it answers when it succeeds. */\nexport interface Operations {\n${shapes.join('')}}\n`
  const used = [...known].filter((name) => new RegExp(`: ${name}\\b|\\b${name}\\[\\]`).test(body)).toSorted()
  const imports = used.length > 0 ? `import type {\n${used.map((name) => `  ${name},\n`).join('')}} from './schemas.ts'\n\n` : ''
  return head + imports + body
}

function inputText({ parameters = [], requestBody }: OpenapiOperation): string[] {
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
  if (body) members.push(`    body${body.required?.length ? '' : '?'}: ${typeText(body, '    ')}\n`)
  return members
}

/** Of the one status that means success; what is no JSON is read by whoever asks for it. */
function answerText({ responses }: OpenapiOperation): string {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))
  const schema = success?.[1].content?.['application/json']?.schema
  return schema ? typeText(schema, '    ') : 'unknown'
}
