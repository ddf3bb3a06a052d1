import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

/** The library runs wherever there is fetch: it must not depend on Node. */
const folder = fileURLToPath(new URL('.', import.meta.url))
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|^test-/.test(file))
  .map((file) => ({ file, code: withoutComments(readFileSync(path.join(folder, file), 'utf8')) }))

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/^\s*\/\/.*$/gm, '')
}

describe.each(sources)('$file', ({ file, code }) => {
  test('imports only its own modules', () => {
    const found = code.matchAll(/(?<!\.)\b(?:from|import|require)\b\s*\(?\s*['"]([^'"]+)['"]/g)
    const modules = Array.from(found, ([, module]) => path.join(path.dirname(file), module!))
    const known = new Set(sources.map((each) => path.normalize(each.file)))
    expect(modules.filter((module) => !known.has(module))).toEqual([])
  })

  test('uses nothing that only Node has', () => {
    const onlyInNode = /\b(Buffer|process|global|require|module|__dirname|__filename|setImmediate|NodeJS)\b|\bnode:/g
    expect(code.match(onlyInNode) ?? []).toEqual([])
  })

  test('takes time and randomness from its settings', () => {
    // Each default is in one place.
    if (file === 'clock.ts' || file === 'request-id.ts') return
    expect(code.match(/\b(Date\.now|new Date\(\)|setTimeout|setInterval|performance|crypto)\b|Math\.random\(/g) ?? []).toEqual([])
  })
})
