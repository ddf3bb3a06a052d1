// Runs the library in a context that has only the language and a few globals of the web platform, nothing from Node. Requires
// --experimental-vm-modules. Prints the globals, and the client's results for three responses.
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { createContext, SourceTextModule } from 'node:vm'

const answers = [
  new Response('{"code":"internal_error","message":"Away."}', { status: 503 }),
  new Response('{"items":[{"id":"a"}],"nextCursor":"x"}'),
  new Response('{"items":[{"id":"b"}]}'),
]
const fetch = async () => answers.shift()
const globals = { AbortController, TextDecoder, URL, URLSearchParams, clearTimeout, crypto, fetch, performance, setTimeout }
const context = createContext({ ...globals })
const modules = new Map()

function load(url) {
  if (!modules.has(url.href)) {
    const code = stripTypeScriptTypes(readFileSync(url, 'utf8'))
    modules.set(url.href, new SourceTextModule(code, { context, identifier: url.href }))
  }
  return modules.get(url.href)
}

const library = load(new URL('../src/index.ts', import.meta.url))
await library.link((specifier, importer) => load(new URL(specifier, importer.identifier)))
await library.evaluate()
const { Querypost } = library.namespace

const client = new Querypost({ apiKey: 'key', random: () => 0 })
const ids = []
for await (const { id } of client.references.list({ timeoutMs: 10_000 })) ids.push(id)
process.stdout.write(JSON.stringify({ globals: Object.keys(globals).sort(), ids }))
