// Bundles the service if its sources have changed since the last time. `apps/cli/bin/querypost.mjs` runs the bundle of the current sources
// if there is one, and the sources otherwise.
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runStep } from './run-step.mjs'
import { bundleFolder } from './service-bundle.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
/** A service that still runs an older bundle may load more of it. */
const keptBundles = 3

export function buildService() {
  const folder = bundleFolder()
  if (existsSync(folder)) return
  // Built under another name, so that an interrupted build is never taken for a complete one.
  const unfinished = `${folder}.${process.pid}`
  const modules = path.join(root, 'node_modules')
  const program = path.join(modules, '.bin', 'node')
  const config = path.join(root, 'scripts', 'service.vite.config.mjs')
  const args = [path.join(modules, 'vite', 'bin', 'vite.js'), 'build', '--config', config, '--outDir', unfinished, '--logLevel', 'warn']
  runStep('Building the service', program, args, { cwd: root, env: { ...process.env, NODE_ENV: 'production' } })
  renameSync(unfinished, folder)
  removeOldBundles(path.dirname(folder))
}

const builtMs = (folder) => statSync(folder).mtimeMs

function removeOldBundles(bundles) {
  const folders = readdirSync(bundles).map((name) => path.join(bundles, name))
  for (const folder of folders.sort((a, b) => builtMs(b) - builtMs(a)).slice(keptBundles)) rmSync(folder, { recursive: true, force: true })
}
