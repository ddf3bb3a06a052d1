// Runs before `npm start` and `npm test` on whatever Node the machine has (20 or newer): installs the dependencies when the
// lock file has changed since the last time, and builds the pages when their sources have. The scripts that follow find
// Node 24 first in their PATH, since it is one of the dependencies.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { buildPages } from './build-pages.mjs'
import { installTestPrograms } from './test-programs.mjs'

const root = new URL('../', import.meta.url)
const stamp = new URL('node_modules/.querypost-installed', root)
const wanted = createHash('sha256').update(readFileSync(new URL('package-lock.json', root))).digest('hex')
const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : ''

if (installed !== wanted) {
  console.log('Installing dependencies (a minute or so, once) …')
  const npm = process.env.npm_execpath
  const [command, first] = npm?.endsWith('.js') || npm?.endsWith('.cjs') ? [process.execPath, [npm]] : ['npm', []]
  // Not `npm ci`: it refuses a lock file that does not name the optional packages of every other platform, as ours, written
  // against a registry without them, does not. This installs what the lock file names and leaves the file as it is.
  const install = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync(command, [...first, ...install], { cwd: root, stdio: 'inherit' })
  writeFileSync(stamp, wanted)
}

buildPages()
if (process.env.npm_lifecycle_event === 'pretest') installTestPrograms()
