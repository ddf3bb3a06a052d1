// `npm test`: types, lint and all tests, then the sums in one line. Arguments go to Vitest: `npm test -- apps/server/src/results`.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = mkdtempSync(path.join(tmpdir(), 'querypost-report-'))
const report = path.join(folder, 'report.json')

function run(command, args) {
  console.log(`\n> ${[command, ...args].join(' ')}`)
  const { status } = spawnSync(path.join(root, 'node_modules', '.bin', command), args, { cwd: root, stdio: 'inherit' })
  return status === 0
}

const checks = [
  run('tsc', ['-p', 'tsconfig.json']),
  run('tsc', ['-p', 'apps/web/tsconfig.json']),
  run('tsc', ['-p', 'test/e2e/tsconfig.json']),
  run('oxlint', ['--type-aware', '--quiet']),
]
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
const testsPassed = run('vitest', ['run', ...reporters, ...process.argv.slice(2)])

let passed = checks.filter(Boolean).length
let failed = checks.length - passed
try {
  const { numPassedTests, numFailedTests, numFailedTestSuites, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'))
  passed += numPassedTests
  failed += numFailedTests
  // A suite that could not even be loaded has no failed tests of its own; a skipped test is one that nobody ran.
  if (!testsPassed && numFailedTests === 0) failed += Math.max(1, numFailedTestSuites)
  failed += numPendingTests
} catch {
  failed += 1
}
rmSync(folder, { recursive: true, force: true })
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
