import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'

/** The library runs wherever there is Web Crypto: it must not depend on Node. */
const folder = fileURLToPath(new URL('.', import.meta.url))
const sources = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|^test-/.test(file))
  .map((file) => ({ file, code: withoutComments(readFileSync(path.join(folder, file), 'utf8')) }))

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/^\s*\/\/.*$/gm, '')
}

describe.each(sources)('$file', ({ code }) => {
  test('imports only its own modules', () => {
    const found = code.matchAll(/(?<!\.)\b(?:from|import|require)\b\s*\(?\s*['"]([^'"]+)['"]/g)
    const modules = Array.from(found, ([, module]) => module!)
    const known = new Set(sources.map(({ file }) => `./${file}`))
    expect(modules.filter((module) => !known.has(module))).toEqual([])
  })

  test('uses nothing that only Node has', () => {
    const onlyInNode = /\b(Buffer|process|global|require|module|__dirname|__filename|setImmediate|NodeJS)\b|\bnode:/g
    expect(code.match(onlyInNode) ?? []).toEqual([])
  })
})

test('runs with the globals of the web platform and no others', async () => {
  // vm modules need a flag, so this runs in its own process.
  const script = fileURLToPath(new URL('../test/run-in-bare-context.mjs', import.meta.url))
  const args = ['--experimental-vm-modules', '--no-warnings', script]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const { globals, outcomes, total } = JSON.parse(stdout) as { globals: string[]; outcomes: string[]; total: number }
  expect(globals).toEqual(['TextDecoder', 'TextEncoder', 'atob', 'btoa', 'crypto'])
  expect(total).toBeGreaterThan(25)
  expect(outcomes).toEqual([])
})
