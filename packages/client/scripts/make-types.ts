// `npm run types -w packages/client`: makes `src/generated` anew from the service's OpenAPI document.
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { generate } from './generate.ts'
import { readServiceDocument } from './service-document.ts'

const folder = new URL('../src/generated/', import.meta.url)
await mkdir(folder, { recursive: true })
const files = generate(await readServiceDocument())
for (const [name, text] of Object.entries(files)) await writeFile(new URL(name, folder), text)
process.stdout.write(`Made ${fileURLToPath(folder)}\n`)
