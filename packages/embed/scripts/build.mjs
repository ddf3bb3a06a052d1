// `npm run build`, then `npm publish ./dist`. Another folder may be given instead.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildLibrary } from '../../../scripts/build-library.mjs'

const folder = fileURLToPath(new URL('../', import.meta.url))
const entries = { '.': 'browser/index', './react': 'browser/react', './server': 'server' }
buildLibrary({ folder, entries, target: path.resolve(process.argv[2] ?? path.join(folder, 'dist')) })
