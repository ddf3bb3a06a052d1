// Builds the web app if its sources have changed since the last build. The stamp of a build is in its output folder, which Vite empties
// first, so an interrupted build is never taken for a complete one.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runStep } from './run-step.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const web = path.join(root, 'apps', 'web')
const stamp = path.join(web, 'dist', '.built')

export function buildPages() {
  const sourceHash = hashSources()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceHash) return
  const modules = path.join(root, 'node_modules')
  const program = path.join(modules, '.bin', 'node')
  const args = [path.join(modules, 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'warn']
  runStep('Building the web app', program, args, { cwd: web, env: { ...process.env, NODE_ENV: 'production' } })
  writeFileSync(stamp, sourceHash)
}

function hashSources() {
  const sources = [
    path.join(web, 'src'),
    path.join(root, 'packages', 'answers', 'src'),
    path.join(root, 'packages', 'embed', 'src'),
    path.join(root, 'packages', 'visualization', 'src'),
    // The web app parses placeholders with the server's code.
    path.join(root, 'apps', 'server', 'src', 'domain', 'parameters'),
    // It shows the same receivers as the documentation.
    path.join(root, 'docs', 'webhooks', 'receivers'),
  ]
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .sort()
  const hash = createHash('sha256')
  for (const file of [
    ...sources,
    path.join(web, 'index.html'),
    path.join(web, 'viewer.html'),
    path.join(web, 'vite.config.ts'),
    path.join(root, 'scripts', 'bundled-licenses.mjs'),
    path.join(root, 'package-lock.json'),
  ]) {
    const content = readFileSync(file)
    hash.update(`${path.relative(root, file)} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}
