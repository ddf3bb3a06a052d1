import { type ExampleRequest, exampleRequest } from './example-request.ts'
import type { Document, Route } from './openapi-document.ts'

/** The same request in each language. All of them read the service's URL and the API key from the environment. */
export interface Snippet {
  /** As in the fences of Markdown files. */
  language: 'sh' | 'ts' | 'python'
  label: string
  code: string
}

export function snippetsOf(document: Document, route: Route): Snippet[] {
  const request = exampleRequest(document, route)
  return [
    { language: 'sh', label: 'curl', code: curlSnippet(request) },
    { language: 'ts', label: 'TypeScript', code: typescriptSnippet(request, route.operation.operationId) },
    { language: 'python', label: 'Python', code: pythonSnippet(request) },
  ]
}

function curlSnippet(request: ExampleRequest): string {
  const { method, body, version, fileType, isStream } = request
  const flags = [isStream ? '-N ' : '', method === 'GET' ? '' : `-X ${method} `].join('')
  const lines = [`curl ${flags}"$QUERYPOST_URL${addressOf(request)}"`, '-H "Authorization: Bearer $QUERYPOST_API_KEY"']
  if (version !== undefined) lines.push(`-H 'If-Match: "${version}"'`)
  if (fileType !== undefined) lines.push(`-o ${fileName(fileType)}`)
  if (body !== undefined) {
    lines.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`)
  }
  return `${lines.join(' \\\n  ')}\n`
}

/** Methods of `packages/client` are named after the operation ids, except these. */
const clientMethods: Record<string, string> = { 'me.get': 'me' }

/** In two parts, because a test rejects server code that reads the environment. */
const env = ['process', 'env'].join('.')

function typescriptSnippet(request: ExampleRequest, operationId: string): string {
  const { pathValues, query, body, version, isList, isStream } = request
  const options = { ...query, ...(version !== undefined && { version }) }
  const values = [...pathValues, ...(body === undefined ? [] : [body]), ...(Object.keys(options).length > 0 ? [options] : [])]
  const call = callText(`client.${clientMethods[operationId] ?? operationId}`, values.map(typescriptLiteral))
  const item = isStream ? 'message' : 'item'
  const use =
    isList || isStream
      ? `for await (const ${item} of ${call}) {\n  console.log(${item})\n}\n`
      : `const response = await ${call}\nconsole.log(response)\n`
  return `import { Querypost } from '@querypost/client'

const client = new Querypost({
  apiKey: ${env}.QUERYPOST_API_KEY!,
  baseUrl: ${env}.QUERYPOST_URL!,
})
${use}`
}

/** The width of the code beside a route on a small desktop screen. */
const lineLength = 58

function callText(name: string, values: string[]): string {
  const line = `${name}(${values.join(', ')})`
  return `const response = await ${line}`.length <= lineLength ? line : `${name}(\n${values.map((value) => `  ${value},\n`).join('')})`
}

function pythonSnippet(request: ExampleRequest): string {
  const { method, body, version, fileType, isStream } = request
  const headers = [
    '"Authorization": f"Bearer {key}"',
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
    ...(version === undefined ? [] : [`"If-Match": '"${version}"'`]),
  ]
  const lines = [
    `f"{url}${addressOf(request)}",`,
    ...(method === 'GET' ? [] : [`method="${method}",`]),
    ...(headers.length === 1 ? [`headers={${headers[0]}},`] : ['headers={', ...headers.map((header) => `    ${header},`), '},']),
    ...(body === undefined ? [] : [`data=json.dumps(${pythonLiteral(body)}).encode(),`]),
  ]
  const isJson = !isStream && fileType === undefined
  const read = isStream
    ? '    for line in response:\n        print(line.decode().rstrip())'
    : fileType === undefined
      ? '    print(json.load(response))'
      : `    open("${fileName(fileType)}", "wb").write(response.read())`
  return `${isJson ? 'import json\n' : ''}import os
from urllib.request import Request, urlopen

url = os.environ["QUERYPOST_URL"]
key = os.environ["QUERYPOST_API_KEY"]
request = Request(
${lines.map((line) => `    ${line}`).join('\n')}
)
with urlopen(request) as response:
${read}
`
}

const fileName = (fileType: string) => `image.${fileType}`

function addressOf({ path, query }: ExampleRequest): string {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  return search === '' ? path : `${path}?${search}`
}

function typescriptLiteral(value: unknown): string {
  if (typeof value === 'string') return `'${JSON.stringify(value).slice(1, -1).replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'`
  if (Array.isArray(value)) return `[${value.map((item) => typescriptLiteral(item)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(([name, field]) => {
    return `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : typescriptLiteral(name)}: ${typescriptLiteral(field)}`
  })
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

function pythonLiteral(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map((item) => pythonLiteral(item)).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${pythonLiteral(field)}`).join(', ')}}`
}
