import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findDocumentation } from './folder.ts'
import { openSite } from './site.ts'
import { addressOf } from './sources.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'querypost-docs-'))
  await mkdir(path.join(folder, 'package/docs/images'), { recursive: true })
  await mkdir(path.join(folder, 'package/dist/http'), { recursive: true })
  await writeFile(path.join(folder, 'package/docs/navigation.json'), '[{ "title": "Start", "pages": ["README.md", "../LACKING.md"] }]')
  await writeFile(path.join(folder, 'package/docs/README.md'), '# Here\n\nA page.\n')
  await writeFile(path.join(folder, 'package/docs/hidden.md'), '# Hidden\n')
  await writeFile(path.join(folder, 'package/docs/images/x.exe'), '')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('finds the documentation at any depth of the code', async () => {
  const found = findDocumentation(path.join(folder, 'package/dist/http/folder.js'))
  expect(found).toBe(path.join(folder, 'package'))
  expect((await openSite(found))?.page('/docs')?.bytes.toString()).toContain('<h1 id="here">Here</h1>')
  expect(findDocumentation(path.join(folder, 'elsewhere.js'))).toBeUndefined()
})

test('shows only pages in the navigation and files of known types', async () => {
  const site = (await openSite(path.join(folder, 'package')))!
  expect(site.page('/docs/hidden')).toBeUndefined()
  expect(site.markdown('/docs/hidden.md')).toBeUndefined()
  expect(await site.file('/docs/images/x.exe')).toBeUndefined()
  expect(await site.file('/docs/navigation.json')).toBeUndefined()
  expect(site.markdown('/docs/README.md')?.bytes.toString()).toBe('# Here\n\nA page.\n')
})

test.each([
  ['docs/README.md', '/docs'],
  ['docs/api.md', '/docs/api'],
  ['docs/api/me.md', '/docs/api/me'],
  ['docs/images/chat.png', '/docs/images/chat.png'],
  ['packages/webhooks/README.md', '/docs/packages/webhooks'],
])('%s is at %s', (file, address) => {
  expect(addressOf(file)).toBe(address)
})
