// Fails if a file contains a phrase from prose.json, and says what to write instead.
//
//     node scripts/check-prose.mjs             every text file of the repository, as in `npm run check`
//     node scripts/check-prose.mjs README.md   the given files
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { compilePhrases, findPhrases, isProse } from './prose.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const { ignoredPaths, phrases } = JSON.parse(readFileSync(path.join(root, 'scripts/prose.json'), 'utf8'))

/** Tracked and new files. A deleted file stays listed until its deletion is staged. */
function listFiles() {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  const files = listed.split('\0').filter((file) => isProse(file, ignoredPaths))
  return files.map((file) => path.join(root, file)).filter(existsSync)
}

const given = process.argv.slice(2)
const files = given.length > 0 ? given.map((file) => path.resolve(file)) : listFiles()
const compiled = compilePhrases(phrases)
let findingCount = 0
for (const file of files) {
  for (const { line, phrase, say } of findPhrases(readFileSync(file, 'utf8'), compiled)) {
    console.log(`${path.relative(root, file)}:${line}  "${phrase}"  say: ${say}`)
    findingCount++
  }
}
if (findingCount > 0) {
  console.log(`\n${findingCount} to rewrite; ${files.length} files checked.`)
  process.exitCode = 1
}
