// Builds the package of a library for publishing. In the repository a library is private TypeScript source. Node does not run TypeScript
// inside node_modules, so the published package has JavaScript, declarations and its own package.json.
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * `entries` are the modules that can be imported, without their extensions. `files` are copied next to the code and can be imported by
 * name. `target` defaults to the library's `dist`.
 */
export function buildLibrary({ folder, entries = { '.': 'index' }, files = [], target = path.join(folder, 'dist') }) {
  const compiler = fileURLToPath(new URL('../bin/tsc', import.meta.resolve('typescript')))
  // Remove an earlier build so that nothing of it is published. A given folder is never emptied.
  if (target === path.join(folder, 'dist')) rmSync(target, { recursive: true, force: true })
  // The build has the types of the web but not of Node, so that using Buffer or process does not compile.
  const args = [compiler, '-p', path.join(folder, 'tsconfig.build.json'), '--outDir', target]
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(1)

  const { private: _private, scripts: _scripts, exports: _exports, ...description } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  )
  const published = {
    ...description,
    main: `./${entries['.']}.js`,
    types: `./${entries['.']}.d.ts`,
    exports: {
      ...Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, { types: `./${file}.d.ts`, default: `./${file}.js` }])),
      ...Object.fromEntries(files.map((file) => [`./${file}`, `./${file}`])),
    },
    publishConfig: { access: 'public' },
  }
  writeFileSync(path.join(target, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  for (const file of ['README.md', ...files]) cpSync(path.join(folder, file), path.join(target, file))
  cpSync(fileURLToPath(new URL('../LICENSE', import.meta.url)), path.join(target, 'LICENSE'))
}
