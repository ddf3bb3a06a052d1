import files from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'

/**
 * Loaded before the service (`node --import`), this makes it the next version: today's code, which finds more
 * migrations in its folder. They stand in the folder that NEXT_MIGRATIONS names.
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
