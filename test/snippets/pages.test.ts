import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { languages, receiversFolder } from './languages.ts'

/** The documentation shows the receivers exactly as they run. `vitest run test/snippets/pages -u` updates the pages. */
const docs = fileURLToPath(new URL('../../docs/webhooks/', import.meta.url))
const tags = new Map(Object.entries({ typescript: 'ts', node: 'js' }))
const pages = [{ name: 'typescript', file: 'typescript/receiver.ts' }, ...languages]

test.each(pages)('the page for $name shows its receiver', async ({ name, file }) => {
  const page = path.join(docs, `${name}.md`)
  const tag = tags.get(name) ?? name
  const parts = readFileSync(page, 'utf8').split(new RegExp(`(?<=^\`\`\`${tag}\n)[^]*?(?=^\`\`\`$)`, 'm'))
  expect(parts).toHaveLength(2)
  await expect(parts.join(readFileSync(path.join(receiversFolder, file), 'utf8'))).toMatchFileSnapshot(page)
})
