// Builds the package `querypost` for publishing: `npm run build -w apps/cli`, then `npm publish ./apps/cli/dist`. It contains the bundle of
// the command and the service that `npm start` runs, the web app and the documentation. An argument names another target folder. The
// package keeps the folder structure of the repository, so that modules find the files they read.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPages } from '../../../scripts/build-pages.mjs'
import { buildService } from '../../../scripts/build-service.mjs'
import { buildStoreImage } from '../../../scripts/build-store-image.mjs'
import { writeLicenses } from '../../../scripts/bundled-licenses.mjs'
import { bundleFolder, publishedBundleFolder, unbundledPackages } from '../../../scripts/service-bundle.mjs'

/** The highest minimum of all dependencies; it is undici's. */
const oldestNode = '22.19.0'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const dist = path.join(root, 'apps/cli/dist')
const target = path.resolve(process.argv[2] ?? dist)
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))

// Remove an earlier build so that nothing of it is published. A folder given as an argument is never emptied.
if (target === dist) rmSync(dist, { recursive: true, force: true })
buildPages()
buildService()
buildStoreImage()
copyBundle()
copyFiles()
writeManifests()

/** Leaves out the source maps: they are as large as the code, and the sources are not in the package. */
function copyBundle() {
  const bundle = bundleFolder()
  const packages = path.join(bundle, 'packages.json')
  const isCode = (file) => file !== packages && !file.endsWith('.map')
  cpSync(bundle, path.join(target, publishedBundleFolder), { recursive: true, filter: isCode })
  const lists = [packages, path.join(root, 'apps/web/dist/.vite/packages.json')].map(readJson)
  writeFileSync(path.join(target, 'THIRD-PARTY-LICENSES.txt'), writeLicenses(lists))
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
  const { name, version, license, description } = readJson(path.join(root, 'apps/cli/package.json'))
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

/** In the versions of the lock file, because the store image is made with them, and everything is tested with them. */
function dependencies() {
  const { packages } = readJson(path.join(root, 'package-lock.json'))
  return Object.fromEntries(unbundledPackages.map((name) => [name, packages[`node_modules/${name}`].version]))
}
