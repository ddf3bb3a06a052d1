import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

test('the page explains exactly the variables that are read, once each', () => {
  const source = read('apps/server/src/settings/config.ts')
  const variables = new Set(Array.from(source.matchAll(/\bread\.\w+\(\s*'([A-Z][A-Z0-9_]+)'/g), ([, name]) => name!))
  expect(variables.size).toBeGreaterThan(30)
  const rows = read('docs/configuration.md').split('\n').filter((line) => line.startsWith('| `'))
  const explained = rows.flatMap((row) => Array.from(row.split('|')[1]!.matchAll(/`([A-Z][A-Z0-9_]+)`/g), ([, name]) => name!))
  expect(explained.sort()).toEqual([...variables].sort())
})
