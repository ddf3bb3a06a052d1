// Installs chdb, which contains the engine of a current ClickHouse, from PyPI for `npm run engines`. No package has its server.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { findProgram, installPackages } from './debian.mjs'

const version = '26.9.0'
const home = fileURLToPath(new URL(`../node_modules/.cache/chdb-${version}`, import.meta.url))

/** The folder that Python finds chdb in; undefined if it is not installed. */
export const findChdb = () => (existsSync(home) ? home : undefined)

const run = (program, ...args) => execFileSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })

/** Takes about a minute and 550 MB. Does nothing if it is installed. */
export function installChdb() {
  if (findChdb()) return
  const programs = [['unzip', 'unzip'], ['pip3', 'python3-pip']]
  installPackages(
    programs.filter(([name]) => !findProgram(name)).map(([, each]) => each),
    { purpose: 'chdb' },
  )
  const partial = `${home}.part`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true })
  run('pip3', 'download', '--quiet', '--no-deps', '--dest', partial, `chdb-core==${version}`)
  const wheel = path.join(partial, readdirSync(partial).find((file) => file.endsWith('.whl')))
  run('unzip', '-q', wheel, '-d', partial)
  rmSync(wheel)
  renameSync(partial, home)
}
