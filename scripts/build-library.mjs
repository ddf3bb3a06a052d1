// Makes the package of a library that is published. In this repository a library is its TypeScript source, and marked private.
// Node does not run TypeScript from inside node_modules, so what is published is JavaScript and declarations, with a package.json
// of its own.
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** `files` stand beside the code and can be imported by their names; `target` instead of the library's own `dist`. */
export function buildLibrary({ folder, files = [], target = path.join(folder, 'dist') }) {
  const compiler = fileURLToPath(new URL('../bin/tsc', import.meta.resolve('typescript')))
  // Nothing of an earlier build may be published; a folder that was given is not ours to empty.
  if (target === path.join(folder, 'dist')) rmSync(target, { recursive: true, force: true })
  // The build knows the web's types and none of Node's: a use of Buffer or process does not compile.
  const args = [compiler, '-p', path.join(folder, 'tsconfig.build.json'), '--outDir', target]
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(1)

  const { private: _private, scripts: _scripts, exports: _exports, ...description } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  )
  const published = {
    ...description,
    main: './index.js',
    types: './index.d.ts',
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      ...Object.fromEntries(files.map((file) => [`./${file}`, `./${file}`])),
    },
    publishConfig: { access: 'public' },
  }
  writeFileSync(path.join(target, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  for (const file of ['README.md', ...files]) cpSync(path.join(folder, file), path.join(target, file))
  cpSync(fileURLToPath(new URL('../LICENSE', import.meta.url)), path.join(target, 'LICENSE'))
}
