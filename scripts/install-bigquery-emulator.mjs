// Installs an emulator of BigQuery's REST API from PyPI for `npm run engines`. Google offers no server to test against.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { findProgram, installPackages } from './debian.mjs'

const version = '1.3.0'
const duckdbVersion = '1.5.5'
const packages = [`bqemulator==${version}`, `duckdb==${duckdbVersion}`, `duckdb-extension-spatial==${duckdbVersion}`, 'numpy']
const folder = fileURLToPath(new URL(`../node_modules/.cache/bigquery-emulator-${version}`, import.meta.url))

/** `modules`: where Python finds the emulator. `home`: a home folder with the extension of DuckDB that it loads. */
export const findBigqueryEmulator = () =>
  existsSync(folder) ? { modules: path.join(folder, 'modules'), home: path.join(folder, 'home') } : undefined

/** Takes about a minute and 560 MB. Does nothing if it is installed. */
export function installBigqueryEmulator() {
  if (findBigqueryEmulator()) return
  installPackages(findProgram('pip3') ? [] : ['python3-pip'], { purpose: 'the BigQuery emulator' })
  const partial = `${folder}.part`
  rmSync(partial, { recursive: true, force: true })
  const modules = path.join(partial, 'modules')
  mkdirSync(modules, { recursive: true })
  const quiet = ['--quiet', '--disable-pip-version-check', '--root-user-action=ignore', '--no-warn-conflicts']
  const options = [...quiet, '--target', modules]
  execFileSync('pip3', ['install', ...options, ...packages], { stdio: ['ignore', 'inherit', 'inherit'] })
  moveExtension(modules, path.join(partial, 'home'))
  renameSync(partial, folder)
}

/** To where DuckDB looks for it, so that it downloads nothing. */
function moveExtension(modules, home) {
  const platform = `${process.platform === 'darwin' ? 'osx' : 'linux'}_${process.arch === 'arm64' ? 'arm64' : 'amd64'}`
  const target = path.join(home, `.duckdb/extensions/v${duckdbVersion}/${platform}`)
  mkdirSync(target, { recursive: true })
  const file = 'spatial.duckdb_extension'
  renameSync(path.join(modules, `duckdb_extension_spatial/extensions/v${duckdbVersion}`, file), path.join(target, file))
}
