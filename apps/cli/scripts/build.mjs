// Builds the package `querypost` for publishing: `npm run build -w apps/cli`, then `npm publish ./apps/cli/dist`. It contains the command,
// the service, the web app and the documentation. An argument names another target folder. The repository is TypeScript in several
// packages, but Node does not run TypeScript inside node_modules, so the published package is JavaScript. It keeps the folder structure,
// so that paths relative to a module stay valid.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPages } from '../../../scripts/build-pages.mjs'
import { buildStoreImage } from '../../../scripts/build-store-image.mjs'
import { findImports, rewriteModule } from './rewrite-module.mjs'

/** The highest minimum of all dependencies; it is undici's. */
const oldestNode = '22.19.0'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const dist = path.join(root, 'apps/cli/dist')
const target = path.resolve(process.argv[2] ?? dist)
/** The packages of the repository that go into the published one. */
const parts = ['apps/cli', 'apps/server', 'packages/answers', 'packages/client', 'packages/project', 'packages/visualization', 'packages/webhooks']
const manifestOf = (folder) => JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'))
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))

// Remove an earlier build so that nothing of it is published. A folder given as an argument is never emptied.
if (target === dist) rmSync(dist, { recursive: true, force: true })
buildPages()
buildStoreImage()
writeModules()
copyFiles()
writeManifests()
checkImports()

function writeModules() {
  const compiler = fileURLToPath(new URL('../bin/tsc', import.meta.resolve('typescript')))
  const args = [compiler, '-p', path.join(root, 'apps/cli/tsconfig.build.json'), '--outDir', target]
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
  for (const file of filesIn(target).filter((name) => name.endsWith('.js'))) {
    const code = readFileSync(file, 'utf8')
    const rewritten = rewriteModule(code, { from: path.relative(target, file), packages: exportsOfParts() })
    if (rewritten !== code) writeFileSync(file, rewritten)
  }
}

/** Copies the files that modules read or serve at run time: migrations, sample data, the web app, the documentation. */
function copyFiles() {
  copy('apps/cli/bin')
  for (const file of filesIn(path.join(root, 'apps/server/src')).filter(isRead)) copy(path.relative(root, file))
  copy('apps/web/dist')
  copy('apps/server/dist')
  copy('docs')
  for (const name of ['client', 'embed', 'webhooks']) {
    if (existsSync(path.join(root, 'packages', name, 'README.md'))) copy(`packages/${name}/README.md`)
  }
  copy('packages/webhooks/vectors.json')
  copy('packages/webhooks/examples', (file) => !/(\.test|\/test-[\w-]+)\.ts$/.test(file))
  for (const name of ['README.md', 'LICENSE']) copy(name)
}

function copy(name, filter = () => true) {
  cpSync(path.join(root, name), path.join(target, name), { recursive: true, filter })
}

/** True for files other than modules, except those that only tests read. */
function isRead(file) {
  return !file.endsWith('.ts') && !/\/(golden|testing|node_modules)\//.test(file)
}

function writeManifests() {
  const { name, version, license, description } = manifestOf('apps/cli')
  const published = {
    name,
    version,
    description,
    license,
    type: 'module',
    engines: { node: `>=${oldestNode}` },
    bin: { querypost: 'apps/cli/bin/querypost.mjs' },
    dependencies: dependencies(),
    publishConfig: { access: 'public' },
  }
  writeFileSync(path.join(target, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  // The command and the service read their version from here.
  for (const folder of ['apps/cli', 'apps/server']) {
    writeFileSync(
      path.join(target, folder, 'package.json'),
      `${JSON.stringify({ type: 'module', version }, null, 2)}\n`,
    )
  }
}

function dependencies() {
  const all = parts.flatMap((folder) => Object.entries(manifestOf(folder).dependencies ?? {}))
  return Object.fromEntries(
    all.filter(([name]) => !name.startsWith('@querypost/')).sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/** The modules behind names such as `@querypost/client` and `@querypost/server/store`, relative to the root. */
function exportsOfParts() {
  return parts.map((folder) => {
    const { name, exports = {} } = manifestOf(folder)
    const paths = Object.entries(exports).map(([entry, file]) => [entry, path.posix.join(folder, file)])
    return { name, exports: Object.fromEntries(paths) }
  })
}

/** Fails the build if a module imports something that the package lacks. */
function checkImports() {
  const known = new Set(Object.keys(dependencies()))
  const missing = filesIn(target)
    .filter((file) => file.endsWith('.js') && path.relative(target, file).split(path.sep).includes('src'))
    .flatMap((file) => findImports(readFileSync(file, 'utf8')).map((specifier) => ({ file, specifier })))
    .filter(({ file, specifier }) => {
      if (specifier.startsWith('node:')) return false
      if (specifier.startsWith('.')) return !existsSync(path.resolve(path.dirname(file), specifier))
      return !known.has(
        specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/'),
      )
    })
  if (missing.length === 0) return
  for (const { file, specifier } of missing) {
    process.stderr.write(`${path.relative(target, file)} imports ${specifier}, which is not in the package\n`)
  }
  process.exit(1)
}
