#!/usr/bin/env node
// The entry point of the command, on whatever Node the machine has. The published package contains a bundle and rejects a
// Node that is too old. In the repository the source is TypeScript, which Node 24 runs directly; `npm start` bundles it, because a bundle
// loads faster. Node 24 is a dependency there, so an older Node (20 or newer) hands over to it.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import * as module from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = new URL('../../../', import.meta.url)
const source = new URL('../src/main.ts', import.meta.url)

if (existsSync(source)) await runSource()
else await runPackage()

/** Compiled code is kept: a start that finds it takes half the time. Child processes find it by the variable. */
function keepCompiledCode(folder) {
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL(folder, root))
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE)
}

async function runPackage() {
  const { engines } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
  const oldest = engines.node.replace(/^>=/, '')
  if (process.versions.node.localeCompare(oldest, 'en', { numeric: true }) < 0) {
    exitWithError(`querypost needs Node ${oldest} or newer; this is Node ${process.versions.node}. Install a newer version: https://nodejs.org`)
  }
  keepCompiledCode('.cache/compiled')
  const { runCommand } = await import('../dist/service/main.js')
  await runCommand()
}

async function runSource() {
  const newerNode = fileURLToPath(new URL('node_modules/node/bin/node', root))
  if (Number.parseInt(process.versions.node, 10) >= 24) {
    keepCompiledCode('node_modules/.cache/compiled')
    const { findBundle } = await import(new URL('scripts/service-bundle.mjs', root).href)
    // Its source maps are for `node --enable-source-maps`: applying them takes 50 MB of memory at the first error.
    const bundle = findBundle()
    const { runCommand } = await import(bundle ? pathToFileURL(bundle).href : source.href)
    await runCommand()
  } else if (existsSync(newerNode)) {
    runWith(newerNode)
  } else {
    exitWithError(`querypost needs Node 24; this is Node ${process.versions.node}. Run \`npm start\` in the repository to install it.`)
  }
}

function runWith(newerNode) {
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const child = spawn(newerNode, args, { stdio: 'inherit' })
  // A terminal sends SIGINT to both processes. SIGTERM reaches only this one, so it is passed on.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.once('close', (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code ?? 1)))
}

function exitWithError(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
