import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

/** Other queues for comparison. They are installed next to the benchmark on first use and are not dependencies of the product. */
export const peerNames = ['pg-boss', 'graphile-worker', 'bullmq'] as const
export type PeerName = (typeof peerNames)[number]

const folder = new URL('../../../peers/', import.meta.url)

interface Package {
  version: string
  dependencies: Record<string, string>
}

const readPackage = (file: string) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Package

/** Installs the versions in bench/peers/package.json, if they are not installed yet. */
export async function installPeers(): Promise<void> {
  const wanted = Object.entries(readPackage('package.json').dependencies)
  const isThere = wanted.every(([name, version]) => {
    const file = `node_modules/${name}/package.json`
    return existsSync(new URL(file, folder)) && readPackage(file).version === version
  })
  if (isThere) return
  console.log('installing the peers in bench/peers')
  await promisify(execFile)('npm', ['install', '--no-package-lock'], { cwd: fileURLToPath(folder) })
}

export const peerVersion = (name: PeerName) => readPackage(`node_modules/${name}/package.json`).version

/** Imports a peer's module. Its types are declared where they are used, because it may not be installed during the type check. */
export async function importPeer<Module>(name: PeerName): Promise<Module> {
  const file = createRequire(new URL('package.json', folder)).resolve(name)
  return (await import(pathToFileURL(file).href)) as Module
}
