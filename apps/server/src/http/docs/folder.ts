import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Where the documentation is: the nearest folder above this file that has `docs/navigation.json`. That is the
 * repository's root, or the root of the published package, in which the code may lie deeper or less deep. Undefined
 * where nobody brought it along.
 */
export function findDocumentation(from = fileURLToPath(import.meta.url)): string | undefined {
  for (let folder = path.dirname(from); ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'docs', 'navigation.json'))) return folder
    if (folder === path.dirname(folder)) return undefined
  }
}
