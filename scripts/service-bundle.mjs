// The command and the service, bundled into a few files. Loading them takes a third of the CPU time of loading two thousand modules. The
// folder of a bundle is named after a hash of its sources. So a bundle of other sources never runs, and a new bundle doesn't replace the
// files that a running service has yet to load.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
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
export function findBundle(root = repository, now = Date.now()) {
  const last = readLastFound(root)
  if (last && last.states === statesOf(root, last.paths).states && existsSync(path.join(root, last.main))) return path.join(root, last.main)
  const paths = listSources(root).map((file) => path.relative(root, file).replaceAll(path.sep, '/'))
  const withFolders = [...new Set([...paths, ...paths.flatMap(foldersOf)])]
  const { states, changedMs } = statesOf(root, withFolders)
  const main = path.join(bundleFolder(root), 'main.js')
  if (!existsSync(main)) return undefined
  if (changedMs < now - clockTickMs) keepLastFound(root, { main: path.relative(root, main), paths: withFolders, states })
  return main
}

/** A file that changes twice within a few milliseconds may have the same time of change. Sources that changed just now are read again. */
const clockTickMs = 1000

/** The folders in which a new file or folder may become a source. */
function foldersOf(file) {
  const folders = []
  for (let folder = path.dirname(file); mayHoldSources(folder); folder = path.dirname(folder)) folders.push(folder)
  return folders
}

const mayHoldSources = (folder) => [...appFolders, 'packages'].some((each) => `${folder}/`.startsWith(`${each}/`))

/**
 * The bundle that was found last, and the state of each source and folder at that time. Reading a thousand files takes several times as
 * long as looking at their states.
 */
const lastFoundFile = (root) => path.join(root, 'node_modules/.cache/service-sources.json')

function readLastFound(root) {
  try {
    const found = JSON.parse(readFileSync(lastFoundFile(root), 'utf8'))
    return [found.main, ...found.paths].every((each) => typeof each === 'string') ? found : undefined
  } catch {
    return undefined
  }
}

function keepLastFound(root, found) {
  const unfinished = `${lastFoundFile(root)}.${process.pid}`
  try {
    writeFileSync(unfinished, JSON.stringify(found))
    renameSync(unfinished, lastFoundFile(root))
  } catch {
    // Read-only, or full. The next start reads the sources again.
  }
}

/**
 * Changes whenever a file is written or replaced, or one is added to a folder or removed from it: nobody can set the time of the last
 * change (ctime).
 */
function statesOf(root, paths) {
  const stats = paths.map((file) => statSync(path.join(root, file), { throwIfNoEntry: false }))
  const text = stats.map((stat) => (stat ? `${stat.ino} ${stat.size} ${stat.ctimeMs}` : 'gone')).join('\n')
  const changedMs = Math.max(...stats.map((stat) => stat?.ctimeMs ?? Infinity))
  return { states: createHash('sha256').update(text).digest('hex'), changedMs }
}

function hashSources(root) {
  const hash = createHash('sha256')
  for (const file of listSources(root)) {
    const content = readFileSync(file)
    hash.update(`${path.relative(root, file)} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

function listSources(root) {
  const packageFolders = readdirSync(path.join(root, 'packages')).map((name) => path.join('packages', name, 'src'))
  const sources = [...appFolders, ...packageFolders]
    .flatMap((folder) => readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .sort()
  return [...sources, ...otherSources.map((name) => path.join(root, name))]
}
