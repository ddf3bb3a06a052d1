import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The source of the repository's modules, for tests of the structure. */
export interface SourceFile {
  /** Relative to the repository's root, with `/`. */
  file: string
  text: string
  /** The modules of the repository that it imports, types included. */
  imports: string[]
}

export const root = fileURLToPath(new URL('../../', import.meta.url))
const folders = ['apps', 'packages', 'bench', 'test', 'scripts']

/** The file behind each name such as `@querypost/server/store`. */
const exported = new Map(
  ['apps', 'packages'].flatMap((folder) =>
    readdirSync(path.join(root, folder)).flatMap((name) => {
      const manifest = path.join(root, folder, name, 'package.json')
      if (!existsSync(manifest)) return []
      const { name: packageName, exports = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as {
        name: string
        exports?: Record<string, string>
      }
      return Object.entries(exports).map(
        ([entry, target]) => [packageName + entry.slice(1), path.posix.join(folder, name, target)] as const,
      )
    }),
  ),
)

export const isTest = (file: string) => /\.test\.tsx?$/.test(file)

export function readSourceFiles(): SourceFile[] {
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|tsx)$/.test(file) && !/(^|\/)(node_modules|dist)\//.test(file))
      .map((file) => `${folder}/${file}`),
  )
  const known = new Set(files)
  return files.map((file) => {
    const text = readFileSync(path.join(root, file), 'utf8')
    return { file, text, imports: importsOf(file, text).filter((target) => known.has(target)) }
  })
}

const importPattern = /^\s*(?:import|export)\s[^'"`;]*?\bfrom\s*'([^']+)'|^import\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gms

function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(importPattern)].flatMap(([, from, bare, dynamic]) => fileOfImport(file, from ?? bare ?? dynamic!) ?? [])
}

/** The file of the repository that a name in an import of `file` means; undefined for other packages. */
export function fileOfImport(file: string, name: string): string | undefined {
  return name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : exported.get(name)
}

/** Groups of files that import each other in a cycle. */
export function findCycles(files: SourceFile[]): string[][] {
  const importsBy = new Map(files.map(({ file, imports }) => [file, imports]))
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const cycles: string[][] = []

  // Tarjan's strongly connected components.
  function visit(file: string): void {
    order.set(file, order.size)
    lowest.set(file, order.get(file)!)
    open.push(file)
    for (const target of importsBy.get(file)!) {
      if (!order.has(target)) {
        visit(target)
        lowest.set(file, Math.min(lowest.get(file)!, lowest.get(target)!))
      } else if (open.includes(target)) {
        lowest.set(file, Math.min(lowest.get(file)!, order.get(target)!))
      }
    }
    if (lowest.get(file) !== order.get(file)) return
    const group = open.splice(open.indexOf(file))
    if (group.length > 1 || importsBy.get(file)!.includes(file)) cycles.push(group.toSorted())
  }
  for (const { file } of files) if (!order.has(file)) visit(file)
  return cycles
}

export function withoutComments(text: string): string {
  return text.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/^\s*\/\/.*$/gm, '')
}
