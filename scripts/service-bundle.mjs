// The command and the service, bundled into a few files. Loading them takes a third of the CPU time of loading two thousand modules. The
// folder of a bundle is named after a hash of its sources. So a bundle of other sources never runs, and a new bundle doesn't replace the
// files that a running service has yet to load.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../', import.meta.url))
const appFolders = ['apps/cli/src', 'apps/server/entry', 'apps/server/src']
const otherSources = [
  ...['bundled-licenses', 'service-bundle', 'service.vite.config'].map((name) => `scripts/${name}.mjs`),
  'package-lock.json',
]

/** Packages with native code or with files of their own. The published package depends on them, and contains all others. */
export const unbundledPackages = [
  '@duckdb/node-api',
  '@duckdb/node-bindings',
  '@electric-sql/pglite',
  '@resvg/resvg-js',
  'dejavu-fonts-ttf',
  'world-atlas',
]

/** The bundle in the published package. It is as deep as in the repository, so that its relative paths stay valid. */
export const publishedBundleFolder = 'apps/cli/dist/service'

/** The folder of the bundle of the current sources, whether it has been built or not. */
export function bundleFolder(root = repository) {
  return path.join(root, 'node_modules/.cache/service', hashSources(root).slice(0, 16))
}

/** The main module of the bundle of the current sources; undefined if it has not been built. */
export function findBundle(root = repository) {
  const main = path.join(bundleFolder(root), 'main.js')
  return existsSync(main) ? main : undefined
}

function hashSources(root) {
  const packageFolders = readdirSync(path.join(root, 'packages')).map((name) => path.join('packages', name, 'src'))
  const sources = [...appFolders, ...packageFolders]
    .flatMap((folder) => readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .sort()
  const hash = createHash('sha256')
  for (const file of [...sources, ...otherSources.map((name) => path.join(root, name))]) {
    const content = readFileSync(file)
    hash.update(`${path.relative(root, file)} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}
