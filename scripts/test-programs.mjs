// The programs that tests start and that do not come from npm: a browser and database servers.
import { findProgram, installPackages } from './debian.mjs'

/**
 * The shell is Chromium without the windows and menus around a page, which nobody sees here and which take a third of the
 * processor time of a test.
 */
export const findChromium = () =>
  process.env.CHROMIUM_PATH ||
  findProgram('chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable')

export const findMariadb = () => findProgram('mariadbd')
export const findClickhouse = () => findProgram('clickhouse-server')

export function installTestPrograms() {
  const wanted = [
    [findChromium, 'chromium-headless-shell'],
    [findMariadb, 'mariadb-server-core'],
    [findClickhouse, 'clickhouse-server'],
  ]
  const missing = wanted.filter(([find]) => !find()).map(([, name]) => name)
  installPackages(missing, { purpose: 'the tests' })
}
