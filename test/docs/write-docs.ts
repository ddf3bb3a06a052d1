// `npm run docs`: regenerates the routes, objects and errors in docs/api and docs/errors.md from the service's OpenAPI document and its
// table of errors.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { OpenapiDocument as Document } from '@querypost/server/documentation'
import { readServiceDocument } from '../types/service-document.ts'
import { root } from './markdown-files.ts'
import { writeReference } from './reference/write-reference.ts'

const document = (await readServiceDocument()) as unknown as Document
for (const { file, text, written } of await writeReference(document)) {
  if (written === text) continue
  await writeFile(path.join(root, file), written)
  process.stdout.write(`Updated ${file}\n`)
}
