import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A library as customers install it: built, packed by npm and unpacked into the node_modules of an otherwise empty project. */
export interface InstalledLibrary {
  /** The project's folder. */
  project: string
  /** The folder of the library in it. */
  installed: string
  remove(): Promise<void>
}

export async function installLibrary({ name, folder }: { name: string; folder: string }): Promise<InstalledLibrary> {
  const project = await mkdtemp(path.join(tmpdir(), 'querypost-library-'))
  const built = path.join(project, 'built')
  await run(process.execPath, [path.join(folder, 'scripts/build.mjs'), built])
  await run('npm', ['pack', built, '--offline', '--pack-destination', project, '--cache', path.join(project, 'cache')])
  const installed = path.join(project, 'node_modules', name)
  await mkdir(installed, { recursive: true })
  const archive = (await readdir(project)).find((file) => file.endsWith('.tgz'))!
  await run('tar', ['-xzf', path.join(project, archive), '-C', installed, '--strip-components=1'])
  await writeFile(path.join(project, 'package.json'), '{ "type": "module" }')
  return { project, installed, remove: () => rm(project, { recursive: true, force: true }) }
}
