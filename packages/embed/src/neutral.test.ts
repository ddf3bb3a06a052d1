import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

/** Only the module for servers may use Node, only the React component React, and nothing anything else. */
const folder = fileURLToPath(new URL('.', import.meta.url))
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => ({ file, code: readFileSync(path.join(folder, file), 'utf8').replaceAll(/\/\*.*?\*\/|^\s*\/\/.*$/gms, '') }))
const others: Record<string, string[]> = { 'server.ts': ['node:crypto'], 'browser/react.ts': ['react'] }

describe.each(sources)('$file', ({ file, code }) => {
  test('imports only its own modules', () => {
    const found = code.matchAll(/(?<!\.)\b(?:from|import|require)\b\s*\(?\s*['"]([^'"]+)['"]/g)
    const modules = Array.from(found, ([, module]) => (module!.startsWith('.') ? path.join(path.dirname(file), module!) : module!))
    const known = new Set([...sources.map((each) => path.normalize(each.file)), ...(others[file] ?? [])])
    expect(modules.filter((module) => !known.has(module))).toEqual([])
  })

  test('uses nothing that only Node has, except on a server', () => {
    const found = code.match(/\b(Buffer|process|global|require|__dirname|__filename|setImmediate|NodeJS)\b/g) ?? []
    expect([...new Set(found)]).toEqual(file === 'server.ts' ? ['Buffer'] : [])
  })

  test('writes no HTML', () => {
    expect(code.match(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b/g) ?? []).toEqual([])
  })

  test('sends to no window without naming its origin', () => {
    expect(code.match(/postMessage\([^)]*'\*'/g) ?? []).toEqual([])
  })
})
