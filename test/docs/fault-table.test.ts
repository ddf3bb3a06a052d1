import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { root } from './markdown-files.ts'

/** The rows of the table in "When something fails", each as its cells. */
let rows: string[][]

beforeAll(async () => {
  const page = await readFile(path.join(root, 'docs/operating.md'), 'utf8')
  const section = page.split('\n## ').find((each) => each.startsWith('When something fails\n'))!
  const lines = section.split('\n').filter((line) => line.startsWith('|'))
  rows = lines.slice(2).map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim()))
})

const filesOf = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, file]) => file!)

test('each fault in the table names the tests that show what the service does', () => {
  expect(rows.length).toBeGreaterThan(15)
  const untested = rows.filter(([, , tests]) => filesOf(tests ?? '').length === 0)
  expect(untested).toEqual([])
})

test('the tests that the table names exist, and are run by npm test or npm run faults', () => {
  const files = rows.flatMap(([, , tests]) => filesOf(tests!))
  const isRun = (file: string) => file.endsWith('.test.ts') || /^test\/faults\/.*\.faults\.ts$/.test(file)
  expect(files.filter((file) => !isRun(file) || !existsSync(path.join(root, file)))).toEqual([])
})
