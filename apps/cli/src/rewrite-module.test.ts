import { expect, test } from 'vitest'
import { findImports, rewriteModule } from '../scripts/rewrite-module.mjs'

const packages = [
  { name: '@querypost/server', exports: { './service': 'apps/server/entry/service.ts' } },
  { name: '@querypost/webhooks', exports: { '.': 'packages/webhooks/src/index.ts' } },
]
const rewritten = (code: string) => rewriteModule(code, { from: 'apps/cli/src/commands/start.js', packages })

test.each([
  ["import { a } from '@querypost/server/service'", "import { a } from '../../../server/entry/service.js'"],
  ["const { a } = await import('@querypost/server/service')", "const { a } = await import('../../../server/entry/service.js')"],
  ["export * from '@querypost/webhooks'", "export * from '../../../../packages/webhooks/src/index.js'"],
  ["new URL('./child.ts', import.meta.url)", "new URL('./child.js', import.meta.url)"],
  ["import fastify from 'fastify'", "import fastify from 'fastify'"],
  ["import a from './a.js'", "import a from './a.js'"],
  ["say('of @querypost/webhooks')", "say('of @querypost/webhooks')"],
  ["[{ path: 'from', message: 'is late' }]", "[{ path: 'from', message: 'is late' }]"],
])('rewrites %s', (code, expected) => expect(rewritten(code)).toBe(expected))

test('rejects a name that the package does not export', () => {
  expect(() => rewritten("import { a } from '@querypost/server/src/main.ts'")).toThrow('does not export')
})

test('finds all imported modules and programs', () => {
  const code = `import a from 'a'\nimport './b.js'\nconst c = await import("c/d")\nnew URL('./e.js', import.meta.url)\nimport.meta.resolve('f')`
  expect(findImports(code)).toEqual(['a', './b.js', 'c/d', 'f', './e.js'])
})

test('SQL in a module imports nothing', () => {
  const code = "import { sql } from 'kysely'\nexport {\n  a,\n} from './a.js'\nexport const rows = sql`select distinct x from 'oidc' where substring(y from '^/b')`"
  expect(findImports(code)).toEqual(['kysely', './a.js'])
})
