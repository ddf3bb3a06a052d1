// `npm run build`, then `npm publish ./dist`. Another folder may be given instead.
import { cpSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildLibrary } from '../../../scripts/build-library.mjs'

const folder = fileURLToPath(new URL('../', import.meta.url))
const target = path.resolve(process.argv[2] ?? path.join(folder, 'dist'))
buildLibrary({ folder, files: ['vectors.json'], target })
cpSync(path.join(folder, 'examples'), path.join(target, 'examples'), {
  recursive: true,
  filter: (file) => !/(\.test|\/test-[\w-]+)\.ts$/.test(file),
})
