#!/usr/bin/env node
// The command, on whatever Node the machine has. As a package it is JavaScript, and says so where Node is older than it needs.
// In the repository it is TypeScript, which Node 24 runs as it is; that Node is one of the dependencies, so where another one
// (20 or newer) began, it hands over.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../../../', import.meta.url)
const source = new URL('../src/main.ts', import.meta.url)

if (existsSync(source)) await runSource()
else await runPackage()

async function runPackage() {
  const { engines } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
  const oldest = engines.node.replace(/^>=/, '')
  if (process.versions.node.localeCompare(oldest, 'en', { numeric: true }) < 0) {
    complain(`querypost needs Node ${oldest} or newer, and this is ${process.versions.node}. Install one from https://nodejs.org`)
  }
  const { runCommand } = await import('../src/main.js')
  await runCommand()
}

async function runSource() {
  const newerNode = fileURLToPath(new URL('node_modules/node/bin/node', root))
  if (Number.parseInt(process.versions.node, 10) >= 24) {
    const { runCommand } = await import(source.href)
    await runCommand()
  } else if (existsSync(newerNode)) {
    handOver(newerNode)
  } else {
    complain(`querypost needs Node 24, and this is ${process.versions.node}. In the repository, \`npm start\` installs it.`)
  }
}

function handOver(newerNode) {
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const compiled = fileURLToPath(new URL('node_modules/.cache/compiled', root))
  const env = { NODE_COMPILE_CACHE: compiled, ...process.env }
  const child = spawn(newerNode, args, { stdio: 'inherit', env })
  // A terminal signals both; whoever signals this one alone means the other.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.once('close', (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code ?? 1)))
}

function complain(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
