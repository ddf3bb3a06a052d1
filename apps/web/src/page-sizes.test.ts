import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { buildPages } from '../../../scripts/build-pages.mjs'

/**
 * How many kilobytes of scripts a browser loads for a page before it shows something, compressed. Charts and the editor come later. A page
 * that needs more gets its own budget here.
 */
const budgetKb = 200
const largerBudgetsKb: Record<string, number> = {
  'pages/permalink/permalink-page.tsx': 285,
  'pages/boards/new-board-page.tsx': 270,
  'pages/boards/board-page.tsx': 265,
  'pages/query/new-query-page.tsx': 255,
  'pages/query/query-page.tsx': 255,
  'pages/query/edit-reference-page.tsx': 255,
  'pages/chats/chat-page.tsx': 250,
  'pages/runs/run-page.tsx': 230,
  'pages/automations/new-automation-page.tsx': 230,
  'pages/automations/automation-page.tsx': 230,
}
/** Public links and embedded items. */
const viewerBudgetKb = 100

interface Built {
  file: string
  imports?: string[]
  dynamicImports?: string[]
}

const dist = fileURLToPath(new URL('../dist/', import.meta.url))

test('every page loads no more scripts than its budget allows', async () => {
  buildPages()
  const manifest = JSON.parse(await readFile(`${dist}.vite/manifest.json`, 'utf8')) as Record<string, Built>
  const kilobytesOf = async (...names: string[]) => {
    const sizes = [...filesOf(manifest, names)].map(async (file) => (await stat(`${dist}${file}.br`)).size)
    return (await Promise.all(sizes)).reduce((total, size) => total + size, 0) / 1000
  }
  const pages = manifest['index.html']!.dynamicImports!
  expect(pages.length).toBeGreaterThan(40)
  const tooLarge: string[] = []
  const check = (name: string, kilobytes: number, budget: number) => {
    if (kilobytes > budget) tooLarge.push(`${name}: ${kilobytes.toFixed(0)} of ${budget} kB`)
  }
  for (const page of pages) {
    const name = page.replace(/^src\//, '')
    check(name, await kilobytesOf('index.html', page), largerBudgetsKb[name] ?? budgetKb)
  }
  check('viewer.html', await kilobytesOf('viewer.html'), viewerBudgetKb)
  expect(tooLarge).toEqual([])
  expect(Object.keys(largerBudgetsKb).filter((name) => !pages.includes(`src/${name}`))).toEqual([])
})

/** The files of these modules and of all that they import. */
function filesOf(manifest: Record<string, Built>, names: string[]): Set<string> {
  const seen = new Set<string>()
  const visit = (name: string) => {
    if (seen.has(name)) return
    seen.add(name)
    manifest[name]!.imports?.forEach(visit)
  }
  names.forEach(visit)
  return new Set([...seen].map((name) => manifest[name]!.file))
}
