// A bundle contains the code of other packages, whose licenses ask that their text comes along. Each build lists the packages it contains
// with their license files, and the published package has both lists in one file.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const licenseFile = /^(licen[cs]e|copying|notice)/i

/** A plugin for Vite that writes the list of the packages in the bundle. */
export function listPackages({ fileName }) {
  return {
    name: 'list-packages',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      const folders = new Set(modules.map(packageFolderOf).filter((folder) => folder !== undefined))
      const packages = [...folders].map(describePackage)
      this.emitFile({ type: 'asset', fileName, source: JSON.stringify(packages) })
    },
  }
}

/** The folder of the package that a module belongs to; undefined if it belongs to this repository. */
export function packageFolderOf(module) {
  return /^(?!\0).*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module)?.[0]
}

function describePackage(folder) {
  const { name, version, license = null } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() && licenseFile.test(entry.name))
  return { name, version, license, texts: files.map((entry) => readFileSync(path.join(folder, entry.name), 'utf8').trim()) }
}

/** One text for all packages of several lists, by name. */
export function writeLicenses(lists) {
  const packages = new Map(lists.flat().map((each) => [`${each.name} ${each.version}`, each]))
  const sections = [...packages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([title, { license, texts }]) => {
    const heading = `${title}${license === null ? '' : ` (${license})`}`
    return [heading, '='.repeat(heading.length), ...texts].join('\n\n')
  })
  return `Querypost contains code of these packages, under their own licenses.\n\n${sections.join('\n\n\n')}\n`
}
