import { expect, test } from 'vitest'
import { findImports, rewriteModule } from '../scripts/rewrite-module.mjs'

const packages = [
  { name: '@querypost/server', folder: 'apps/server', main: undefined },
  { name: '@querypost/webhooks', folder: 'packages/webhooks', main: 'packages/webhooks/src/index.ts' },
]
const rewritten = (code: string) => rewriteModule(code, { from: 'apps/cli/src/commands/start.js', packages })

test.each([
  ["import { a } from '@querypost/server/src/main.ts'", "import { a } from '../../../server/src/main.js'"],
  [
    "const { a } = await import('@querypost/server/src/main.ts')",
    "const { a } = await import('../../../server/src/main.js')",
  ],
  ["export * from '@querypost/webhooks'", "export * from '../../../../packages/webhooks/src/index.js'"],
  ["new URL('./child.ts', import.meta.url)", "new URL('./child.js', import.meta.url)"],
  ["import fastify from 'fastify'", "import fastify from 'fastify'"],
  ["import a from './a.js'", "import a from './a.js'"],
  ["say('of @querypost/webhooks')", "say('of @querypost/webhooks')"],
  ["[{ path: 'from', message: 'is late' }]", "[{ path: 'from', message: 'is late' }]"],
])('%s', (code, expected) => expect(rewritten(code)).toBe(expected))

test('finds every module and program that is named', () => {
  const code = `import a from 'a'\nimport './b.js'\nconst c = await import("c/d")\nnew URL('./e.js', import.meta.url)\nimport.meta.resolve('f')`
  expect(findImports(code)).toEqual(['a', './b.js', 'c/d', 'f', './e.js'])
})
