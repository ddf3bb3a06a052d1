// `npm run types`: generates the types of the client and the web app from the schemas of the service's routes, and those of the
// receivers' library from the table of event types.
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { collectRoutes } from '@querypost/server/testing'
import { generate } from './generate.ts'
import { eventSamples, eventTypesOfLibrary } from './generate-event-types.ts'
import { generatePagesTypes } from './generate-pages-types.ts'
import { readServiceDocument, withService } from './service-document.ts'

async function write(folder: URL, files: Record<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(new URL(name, folder), text)
  process.stdout.write(`Wrote ${fileURLToPath(folder)}\n`)
}

await write(new URL('../../packages/client/src/generated/', import.meta.url), generate(await readServiceDocument()))
const { routes } = await collectRoutes(() => withService(async () => undefined))
await write(new URL('../../apps/web/src/api/generated/', import.meta.url), generatePagesTypes(routes))
const library = new URL('../../packages/webhooks/', import.meta.url)
await write(new URL('src/', library), eventTypesOfLibrary())
await write(new URL('scripts/', library), { 'event-samples.ts': eventSamples() })
// Reads the samples just written.
const { makeVectors } = await import('../../packages/webhooks/scripts/make-vectors.ts')
await write(library, { 'vectors.json': makeVectors() })
