import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Finds the documentation: the nearest folder above this file that contains `docs/navigation.json`. That is the root of the
 * repository or of the published package, in which the code may be at another depth. Undefined if the documentation is not included.
 */
export function findDocumentation(from = fileURLToPath(import.meta.url)): string | undefined {
  for (let folder = path.dirname(from); ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'docs', 'navigation.json'))) return folder
    if (folder === path.dirname(folder)) return undefined
  }
}
