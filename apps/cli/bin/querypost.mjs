#!/usr/bin/env node
// The command, on whatever Node the machine has (20 or newer). In the repository it is TypeScript, which Node 24 runs as it
// is; that Node is one of the dependencies, so where another one began, it hands over.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [major] = process.versions.node.split('.').map(Number)
const source = new URL('../src/main.ts', import.meta.url)
const root = new URL('../../../', import.meta.url)
const newerNode = fileURLToPath(new URL('node_modules/node/bin/node', root))

if (!existsSync(source)) {
  const { runCommand } = await import('../src/main.js')
  await runCommand()
} else if (major >= 24) {
  const { runCommand } = await import(source.href)
  await runCommand()
} else if (existsSync(newerNode)) {
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const compiled = fileURLToPath(new URL('node_modules/.cache/compiled', root))
  const env = { NODE_COMPILE_CACHE: compiled, ...process.env }
  const child = spawn(newerNode, args, { stdio: 'inherit', env })
  // A terminal signals both; whoever signals this one alone means the other.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.once('close', (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code ?? 1)))
} else {
  process.stderr.write(
    `querypost needs Node 24, and this is ${process.versions.node}. In the repository, \`npm start\` installs it.\n`,
  )
  process.exit(1)
}
