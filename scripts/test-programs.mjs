// Programs that tests need and npm does not install: a browser, database servers, and languages that the documentation has snippets in.
import { findProgram, installPackages } from './debian.mjs'

/** Prefers the headless shell: the windows and menus of full Chromium take a third of a test's CPU time. */
export const findChromium = () =>
  process.env.CHROMIUM_PATH ||
  findProgram('chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable')

export const findMariadb = () => findProgram('mariadbd')
export const findClickhouse = () => findProgram('clickhouse-server')
export const findPgbouncer = () => findProgram('pgbouncer')

export function installTestPrograms() {
  const programs = [
    [findChromium, 'chromium-headless-shell'],
    [findMariadb, 'mariadb-server-core'],
    [findClickhouse, 'clickhouse-server'],
    [findPgbouncer, 'pgbouncer'],
    [() => findProgram('ruby'), 'ruby'],
    [() => findProgram('php'), 'php-cli'],
  ]
  const missing = programs.filter(([find]) => !find()).map(([, name]) => name)
  installPackages(missing, { purpose: 'the tests' })
}
