// Runs the library on every vector in a context that has only the language and five globals of the web platform, nothing from Node.
// Prints the vectors with unexpected outcomes. Requires --experimental-vm-modules.
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { createContext, SourceTextModule } from 'node:vm'

const globals = { TextDecoder, TextEncoder, atob, btoa, crypto }
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
const { signatureHeaders, verify } = library.namespace

const { vectors } = JSON.parse(readFileSync(new URL('../vectors.json', import.meta.url), 'utf8'))
const outcomes = []
for (const { name, secrets, headers, body, bodyBase64, now, toleranceSeconds, expected } of vectors) {
  const raw = body ?? Buffer.from(bodyBase64, 'base64')
  const options = { body: raw, headers, secret: secrets, toleranceSeconds, now: new Date(now * 1000) }
  const outcome = await verify(options).then(
    (event) => ({ ok: true, eventId: event.id, type: event.type }),
    (error) => ({ ok: false, code: error.code }),
  )
  if (JSON.stringify(outcome) !== JSON.stringify(expected)) outcomes.push(`${name}: ${JSON.stringify(outcome)}`)
}
const [{ body, secrets, headers, now }] = vectors
const sentAt = new Date((now - 2) * 1000)
const signed = await signatureHeaders({ id: headers['svc-webhook-id'], body, secret: secrets[0], sentAt })
if (JSON.stringify(signed) !== JSON.stringify(headers)) outcomes.push('signatureHeaders')

process.stdout.write(JSON.stringify({ globals: Object.keys(globals).sort(), outcomes, total: vectors.length }))
