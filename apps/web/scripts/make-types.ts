// `npm run types -w apps/web`: writes `src/api/generated` from the schemas of the pages' routes.
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { withService } from '../../../packages/client/scripts/service-document.ts'
import { collectRoutes } from '@querypost/server/testing'
import { generatePagesTypes } from './generate-pages-types.ts'

const folder = new URL('../src/api/generated/', import.meta.url)
await mkdir(folder, { recursive: true })
const { routes } = await collectRoutes(() => withService(async () => undefined))
for (const [name, text] of Object.entries(generatePagesTypes(routes))) await writeFile(new URL(name, folder), text)
process.stdout.write(`Wrote ${fileURLToPath(folder)}\n`)
