// Installs Debian's packages where the machine is ours to change: as root on Debian. Elsewhere nothing happens, and whoever
// needs what is missing says so.
import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import path from 'node:path'

/** The path of the first of these programs that there is. */
export function findProgram(...names) {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter).filter(Boolean), '/usr/sbin', '/usr/local/sbin']
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isProgram)
}

export function installPackages(packages, { purpose }) {
  if (packages.length === 0 || process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return
  console.log(`Installing ${packages.join(', ')} for ${purpose} (a minute or so, once) …`)
  try {
    apt('update')
    apt('install', '--no-install-recommends', ...packages)
  } catch {
    console.error(`${packages.join(', ')} could not be installed; the tests that need them will fail.`)
  }
}

function apt(...args) {
  execFileSync('apt-get', ['-qq', '-y', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // At run level 1 a package with a server does not start it: tests start their own.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  })
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
