// Installs packages with apt-get when running as root on Debian or Ubuntu. Elsewhere it does nothing, and the test that needs a missing
// program names it.
import { accessSync, constants, existsSync } from 'node:fs'
import path from 'node:path'
import { runStep } from './run-step.mjs'

/** The path of the first of these programs that is installed. */
export function findProgram(...names) {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter).filter(Boolean), '/usr/sbin', '/usr/local/sbin']
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isProgram)
}

export function installPackages(packages, { purpose }) {
  if (packages.length === 0 || process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return
  const title = `Installing ${packages.join(', ')} for ${purpose} (once, about a minute)`
  const commands = `apt-get -qq -y update && apt-get -qq -y install --no-install-recommends "$@"`
  const isInstalled = runStep(title, 'sh', ['-c', commands, 'sh', ...packages], {
    isOptional: true,
    // At run level 1 a package does not start its server. Tests start their own.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  })
  if (!isInstalled) console.error('The tests that need these packages will fail or be left out.')
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
