// `npm test`: types, lint and all tests, then the sums in one line. Arguments go to Vitest: `npm test -- apps/server/src/results`.
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = mkdtempSync(path.join(tmpdir(), 'querypost-report-'))
const report = path.join(folder, 'report.json')

const programOf = (command) => path.join(root, 'node_modules', '.bin', command)

function run(command, args) {
  console.log(`\n> ${[command, ...args].join(' ')}`)
  return new Promise((resolve) => {
    spawn(programOf(command), args, { cwd: root, stdio: 'inherit' })
      .once('close', (code) => resolve(code === 0))
      .once('error', () => resolve(false))
  })
}

/** Beside others: what it says is shown when it has ended. */
function check(command, args) {
  return new Promise((resolve) => {
    execFile(programOf(command), args, { cwd: root, maxBuffer: Infinity }, (error, stdout, stderr) => {
      console.log(`\n> ${[command, ...args].join(' ')}\n${stdout}${stderr}`.trimEnd())
      resolve(!error)
    })
  })
}

const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
// Tests leave some of the processors to them: many wait, for processes and for a browser.
const [testsPassed, ...checks] = await Promise.all([
  run('vitest', ['run', ...reporters, ...process.argv.slice(2)]),
  check('tsc', ['-p', 'tsconfig.json']),
  check('tsc', ['-p', 'apps/web/tsconfig.json']),
  check('tsc', ['-p', 'test/e2e/tsconfig.json']),
  check('oxlint', ['--type-aware', '--quiet']),
])

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
