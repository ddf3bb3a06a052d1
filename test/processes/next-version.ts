import files from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'

/**
 * Loaded before the service (`node --import`), this simulates the next version: the current code with more migrations, from the folder
 * NEXT_MIGRATIONS.
 */
const folder = process.env['NEXT_MIGRATIONS']
if (folder !== undefined) {
  const { readdir, readFile } = files
  const next = await readdir(folder)
  const isNext = (file: string) => file.includes('/store/migrations/') && next.includes(path.basename(file))
  Object.assign(files, {
    async readdir(of: string | URL, ...rest: []) {
      const names = await readdir(of, ...rest)
      return String(of).endsWith('/store/migrations/') ? [...names, ...next] : names
    },
    readFile: (file: string | URL, ...rest: []) =>
      readFile(isNext(String(file)) ? path.join(folder, path.basename(String(file))) : file, ...rest),
  })
  syncBuiltinESMExports()
}
