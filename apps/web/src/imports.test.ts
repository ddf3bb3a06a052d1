import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const source = fileURLToPath(new URL('.', import.meta.url))
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))
const imports = new Map(
  files.map((file) => {
    const text = readFileSync(path.join(source, file), 'utf8')
    const targets = Array.from(text.matchAll(/(?:\bfrom |\bimport\()'(\.[^']+)'/g), ([, target]) => target!)
    return [file, targets.map((target) => path.join(path.dirname(file), target))]
  }),
)

/** The first circle that is met on the way, from file to file. */
function findCircle(importsOf: (file: string) => string[]): string[] | undefined {
  const done = new Set<string>()
  function walk(file: string, way: string[]): string[] | undefined {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file]
    if (done.has(file)) return undefined
    for (const next of importsOf(file)) {
      const circle = walk(next, [...way, file])
      if (circle) return circle
    }
    done.add(file)
    return undefined
  }
  for (const file of files) {
    const circle = walk(file, [])
    if (circle) return circle
  }
  return undefined
}

test('no files import each other in a circle, for types or when they are first needed', () => {
  expect(findCircle((file) => imports.get(file) ?? [])).toBeUndefined()
  const [first, second] = files as [string, string]
  const other: Record<string, string> = { [first]: second, [second]: first }
  expect(findCircle((file) => (other[file] ? [other[file]] : []))).toEqual([first, second, first])
})
