import { execFile } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../../', import.meta.url))

interface LockedPackage {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

export interface InstallSize {
  packageMb: number
  dependenciesMb: number
  dependencyCount: number
  /** The largest dependencies first. */
  dependencies: { name: string; mb: number }[]
}

/** The disk space of an installed package `querypost`: its own files, and the dependencies that npm installs with it on this platform. */
export async function measureInstall(folder: string): Promise<InstallSize> {
  const target = path.join(folder, 'package')
  await promisify(execFile)(process.execPath, [path.join(root, 'apps/cli/scripts/build.mjs'), target], { cwd: root })
  const manifest = JSON.parse(readFileSync(path.join(target, 'package.json'), 'utf8')) as LockedPackage
  const dependencies = findInstalled(manifest)
    .map((place) => ({ name: place.replace(/^node_modules\//, ''), mb: mbOf(path.join(root, place), 'node_modules') }))
    .sort((a, b) => b.mb - a.mb)
  const dependenciesMb = dependencies.reduce((sum, { mb }) => sum + mb, 0)
  return { packageMb: mbOf(target), dependenciesMb, dependencyCount: dependencies.length, dependencies }
}

/** Follows the lock file as npm does: a package is found in the nearest `node_modules`. */
function findInstalled(manifest: LockedPackage): string[] {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockedPackage> }
  const found = new Set<string>()
  const add = (of: LockedPackage, from: string) => {
    for (const name of namesOf(of)) {
      const place = placesOf(from, name).find((each) => packages[each])
      if (place !== undefined && existsSync(path.join(root, place))) found.add(place)
    }
  }
  add(manifest, '')
  for (const place of found) add(packages[place]!, place)
  return [...found]
}

const namesOf = ({ dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }: LockedPackage) => [
  ...Object.keys(dependencies),
  ...Object.keys(optionalDependencies),
  ...Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional),
]

function placesOf(from: string, name: string): string[] {
  const outer = from.lastIndexOf('/node_modules/')
  const here = path.posix.join(from, 'node_modules', name)
  return from === '' ? [here] : [here, ...placesOf(outer < 0 ? '' : from.slice(0, outer), name)]
}

/** As `du` counts it, without the folder `except`. */
function mbOf(place: string, except?: string): number {
  const facts = lstatSync(place)
  const inside = facts.isDirectory() ? readdirSync(place).filter((name) => name !== except) : []
  return (facts.blocks * 512) / 2 ** 20 + inside.reduce((sum, name) => sum + mbOf(path.join(place, name)), 0)
}
