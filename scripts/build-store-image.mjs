// Writes the image of an empty embedded store if the migrations or the dependencies have changed since the last time. A first start
// unpacks it instead of creating a store, which takes seconds (apps/server/src/store/store-image.ts).
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runStep } from './run-step.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const migrations = path.join(root, 'apps', 'server', 'src', 'store', 'migrations')
const stamp = path.join(root, 'apps', 'server', 'dist', '.built')

export function buildStoreImage() {
  const sourceHash = hashSources()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceHash) return
  const program = path.join(root, 'node_modules', '.bin', 'node')
  // The program creates a single store, so optimizing PostgreSQL's code would not pay off.
  const args = ['--liftoff-only', '--disable-warning=ExperimentalWarning', path.join(root, 'scripts', 'write-store-image.mjs')]
  runStep('Preparing the embedded database', program, args, { cwd: root })
  writeFileSync(stamp, sourceHash)
}

function hashSources() {
  const files = readdirSync(migrations).sort().map((name) => path.join(migrations, name))
  const hash = createHash('sha256')
  for (const file of [...files, path.join(root, 'package-lock.json')]) {
    const content = readFileSync(file)
    hash.update(`${path.basename(file)} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}
