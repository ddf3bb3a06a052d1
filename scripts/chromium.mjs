// Where the browser for the end-to-end tests is, and how it gets there on a machine that can be changed.
import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import path from 'node:path'

/**
 * The shell is Chromium without the windows and menus around a page, which nobody sees here and which take a third of the
 * processor time of a test.
 */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The path of the program, or undefined. */
export function findChromium() {
  const given = process.env.CHROMIUM_PATH
  if (given) return given
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean)
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isProgram)
}

/** On Debian, as root, installs the distribution's own; elsewhere does nothing, and the tests say what they miss. */
export function installChromium() {
  if (findChromium() || process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return
  console.log('Installing Chromium for the end-to-end tests (a minute or so, once) …')
  try {
    apt('update')
    apt('install', '--no-install-recommends', 'chromium-headless-shell')
  } catch {
    console.error('Chromium could not be installed; the end-to-end tests will fail.')
  }
}

function apt(...args) {
  execFileSync('apt-get', ['-qq', '-y', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
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
