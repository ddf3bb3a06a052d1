// Builds the web pages when what they are made of has changed since the last build. The stamp of a build lies in its own folder,
// which Vite empties first, so a build that broke off is never taken for a good one.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const web = path.join(root, 'apps', 'web')
const stamp = path.join(web, 'dist', '.built')

export function buildPages() {
  const wanted = hashOfSources()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.log('Building the pages (a few seconds, once) …')
  const modules = path.join(root, 'node_modules')
  execFileSync(
    path.join(modules, '.bin', 'node'),
    [path.join(modules, 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'warn'],
    { cwd: web, stdio: 'inherit', env: { ...process.env, NODE_ENV: 'production' } },
  )
  writeFileSync(stamp, wanted)
}

function hashOfSources() {
  const sources = [
    path.join(web, 'src'),
    path.join(root, 'packages', 'visualization', 'src'),
    // The pages read placeholders with the service's own rules.
    path.join(root, 'apps', 'server', 'src', 'domain', 'parameters'),
    // They show receivers as the documentation does.
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
    path.join(web, 'vite.config.ts'),
    path.join(root, 'package-lock.json'),
  ]) {
    const content = readFileSync(file)
    hash.update(`${path.relative(root, file)} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}
