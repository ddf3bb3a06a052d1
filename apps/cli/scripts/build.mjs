// `npm run build -w apps/cli`, then `npm publish ./apps/cli/dist`: makes the package `querypost` that is published,
// with the command, the service, its pages and its documentation. Another folder may be given instead. In this
// repository everything is TypeScript in packages of its own; Node does not run TypeScript from inside node_modules.
// So what is published is one package of JavaScript, in the same folders: whatever is found beside a module here is
// found there too.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPages } from '../../../scripts/build-pages.mjs'
import { findImports, rewriteModule } from './rewrite-module.mjs'

/** That of the dependency which wants the newest one: undici. */
const oldestNode = '22.19.0'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const dist = path.join(root, 'apps/cli/dist')
const target = path.resolve(process.argv[2] ?? dist)
/** The packages of the repository that the published one is made of. */
const parts = ['apps/cli', 'apps/server', 'packages/client', 'packages/visualization', 'packages/webhooks']
const manifestOf = (folder) => JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'))
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))

// Nothing of an earlier build may be published; a folder that was given is not ours to empty.
if (target === dist) rmSync(dist, { recursive: true, force: true })
buildPages()
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

/**
 * What modules read while they run: migrations, sample data, the browser's part of the documentation; and what they
 * serve.
 */
function copyFiles() {
  copy('apps/cli/bin')
  for (const file of filesIn(path.join(root, 'apps/server/src')).filter(isRead)) copy(path.relative(root, file))
  copy('apps/web/dist')
  copy('docs')
  for (const name of ['client', 'webhooks']) {
    if (existsSync(path.join(root, 'packages', name, 'README.md'))) copy(`packages/${name}/README.md`)
  }
  copy('packages/webhooks/vectors.json')
  copy('packages/webhooks/examples', (file) => !/(\.test|\/test-[\w-]+)\.ts$/.test(file))
  for (const name of ['README.md', 'LICENSE']) copy(name)
}

function copy(name, filter = () => true) {
  cpSync(path.join(root, name), path.join(target, name), { recursive: true, filter })
}

/** Not a module, and not what only tests read. */
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
  // Where the command and the service look for their version.
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

/** `@querypost/client`, `@querypost/server/store` and so on: the module that each name leads to, from the root. */
function exportsOfParts() {
  return parts.map((folder) => {
    const { name, exports = {} } = manifestOf(folder)
    const paths = Object.entries(exports).map(([entry, file]) => [entry, path.posix.join(folder, file)])
    return { name, exports: Object.fromEntries(paths) }
  })
}

/** A package that lacks something is found out here and not by those who install it. */
function checkImports() {
  const known = new Set(Object.keys(dependencies()))
  const missing = filesIn(target)
    .filter((file) => file.endsWith('.js') && file.includes(`${path.sep}src${path.sep}`))
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
