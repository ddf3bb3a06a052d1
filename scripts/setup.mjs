// Runs before `npm start` and `npm test` on whatever Node the machine has (20 or newer): installs the dependencies if the lock file has
// changed since the last time, and builds the web app, the service and the image of its database if their sources have. The scripts that follow find Node 24 first
// in their PATH, since it is one of the dependencies.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { buildPages } from './build-pages.mjs'
import { buildService } from './build-service.mjs'
import { buildStoreImage } from './build-store-image.mjs'
import { runStep } from './run-step.mjs'
import { installTestPrograms } from './test-programs.mjs'

const root = new URL('../', import.meta.url)
const stamp = new URL('node_modules/.querypost-installed', root)
const lockHash = createHash('sha256').update(readFileSync(new URL('package-lock.json', root))).digest('hex')
const installedHash = existsSync(stamp) ? readFileSync(stamp, 'utf8') : ''

if (installedHash !== lockHash) {
  const npm = process.env.npm_execpath
  const [program, first] = npm?.endsWith('.js') || npm?.endsWith('.cjs') ? [process.execPath, [npm]] : ['npm', []]
  // Not `npm ci`: it rejects a lock file that does not list the optional packages of every platform, and ours was written against a
  // registry without them. `npm install --no-save` installs what the lock file lists and leaves the file as it is.
  const install = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  runStep('Installing dependencies (first start only, about a minute)', program, [...first, ...install], { cwd: root })
  writeFileSync(stamp, lockHash)
}

buildPages()
buildService()
buildStoreImage()
if (['pretest', 'prebrowser'].includes(process.env.npm_lifecycle_event)) installTestPrograms()
