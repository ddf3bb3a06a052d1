import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ReadMarkdown, readMarkdown } from '@querypost/server/documentation'

export const root = fileURLToPath(new URL('../../', import.meta.url))

export interface MarkdownFile {
  /** Relative to the root of the repository. */
  file: string
  text: string
  content: ReadMarkdown
}

const ignoredFolders = new Set(['node_modules', 'dist', 'data', 'coverage'])

/** Reads every Markdown file of the repository. */
export async function readMarkdownFiles(): Promise<MarkdownFile[]> {
  const names = (await filesBelow('')).filter((name) => name.endsWith('.md')).toSorted()
  return Promise.all(
    names.map(async (file) => {
      const text = await readFile(path.join(root, file), 'utf8')
      return { file, text, content: readMarkdown(text) }
    }),
  )
}

/** Lists files with paths relative to the root, with slashes. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true })
  const found = await Promise.all(
    entries.map(async (entry) => {
      const name = path.posix.join(folder, entry.name)
      if (!entry.isDirectory()) return [name]
      return ignoredFolders.has(entry.name) || entry.name.startsWith('.') ? [] : filesBelow(name)
    }),
  )
  return found.flat()
}
