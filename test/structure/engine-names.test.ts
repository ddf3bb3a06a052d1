import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { definitions } from '@querypost/server/engine-definitions'
import { isTest, readSourceFiles, root, withoutComments } from './source-files.ts'

/**
 * An engine is one folder and its registration. Any other shipped code that names one would have to be changed for the next engine,
 * so it reads the definition instead.
 */
const kinds = definitions.map(({ kind }) => kind)
const ownFolders = new RegExp(`^apps/server/src/engines/(registry|${kinds.join('|')})/`)

const shipped = readSourceFiles().filter(
  ({ file }) =>
    /^(apps\/(server|cli|web)|packages\/\w+)\/(src|entry)\//.test(file) &&
    !isTest(file) &&
    !ownFolders.test(file) &&
    !file.includes('/generated/'),
)

/** Uses that do not depend on which engines there are. */
const exceptions: Record<string, RegExp> = {
  // The embedded engine: it also imports files, compares results, reads them as tables, writes Parquet and holds the sample data.
  duckdb: /^apps\/(server\/(entry|src\/(domain\/(databases\/(add-database|change-database-file|import-|preview-(file|sheet))|history|results|saved-queries|services)|http\/(schemas\/database|routes\/app\/table-routes)|process\/make-services|results\/downloads|sample))|cli\/src\/(doctor\/(engine|store)|commands\/backup))/,
  // The lock on a data directory is one on a SQLite file.
  sqlite: /^apps\/server\/src\/(ports\/file-lock|settings\/data-directory|backup\/restore)\.ts$/,
  // The service's own store.
  postgres: /^apps\/(server\/src\/(store|results|settings|model\/history|process|backup)|server\/entry\/(store|configuration)|cli\/src)/,
}

test.each(kinds)('only the folder and the registration of %s name it', (kind) => {
  const word = new RegExp(kind, 'i')
  const strays = shipped.filter(({ file, text }) => {
    if (exceptions[kind]?.test(file)) return false
    // Words in a sentence, such as "PostgreSQL", are not names of the kind.
    const code = withoutComments(text).replaceAll(/PostgreSQL|postgresql/g, '')
    return word.test(code)
  })
  expect(strays.map(({ file }) => file)).toEqual([])
})

test('the guide to databases links to the page of every engine', () => {
  const guide = readFileSync(path.join(root, 'docs/databases.md'), 'utf8')
  const missing = definitions.filter(({ kind, docs }) => !guide.includes(`\`${kind}\``) || (docs !== null && !guide.includes(`(${docs})`)))
  expect(missing.map(({ kind }) => kind)).toEqual([])
})
