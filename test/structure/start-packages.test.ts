import path from 'node:path'
import { expect, test } from 'vitest'
import { fileOfImport, readSourceFiles, withoutComments } from './source-files.ts'

/** The modules that `querypost start` loads by name; everything else follows from their imports. */
const entries = [
  'apps/cli/src/main.ts',
  'apps/cli/src/commands/start.ts',
  'apps/server/entry/service.ts',
  'apps/server/src/http/add-routes.ts',
]

/** Every other package is loaded when it is first used (docs/decisions/0053-start-and-rest.md). */
const loadedAtStart = [
  '@fastify/ajv-compiler',
  '@fastify/cookie',
  '@fastify/fast-json-stringify-compiler',
  '@fastify/swagger',
  'acorn',
  'acorn-jsx',
  'croner',
  'fastify',
  'ipaddr.js',
  'kysely',
  'markdown-it',
  'pg',
  'pino',
  'prom-client',
  'typebox',
]

const importPattern = /^(?:(?:import|export)\s+(?!type\b)((?:\w+,\s*)?(?:\w+|\{[^}]*\}|\*(?: as \w+)?))\s+from|import)\s+'([^']+)'/gm
const isOnlyTypes = (names = '') => /^\{[^}]*\}$/.test(names.trim()) && namesIn(names).every((name) => name.startsWith('type '))
const namesIn = (names: string) => names.replaceAll(/[{}]/g, '').split(',').map((name) => name.trim()).filter(Boolean)
const packageOf = (name: string) => name.split('/').slice(0, name.startsWith('@') ? 2 : 1).join('/')

/** Follows the imports that are loaded with a module. Types and `import()` are not. */
function findPackagesOf(first: string[]): string[] {
  const texts = new Map(readSourceFiles().map(({ file, text }) => [file, withoutComments(text)]))
  const seen = new Set(first)
  const packages = new Set<string>()
  for (const file of seen) {
    for (const [, names, name] of texts.get(file)!.matchAll(importPattern)) {
      if (name!.startsWith('node:') || isOnlyTypes(names)) continue
      const target = fileOfImport(file, name!)
      if (target === undefined) packages.add(packageOf(name!))
      else if (path.extname(target) === '.ts') seen.add(target)
    }
  }
  return [...packages].sort()
}

test('a start loads no package that only some processes need', () => {
  expect(findPackagesOf(entries)).toEqual(loadedAtStart)
})
