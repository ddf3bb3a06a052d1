// `npm test`: types, lint and all tests, then a summary with times. Arguments go to Vitest: `npm test -- apps/server/src/results`.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { cpuSeconds, describeCpu, slowest, underTimes } from './test-times.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = mkdtempSync(path.join(tmpdir(), 'querypost-report-'))
const report = path.join(folder, 'report.json')
const fileTimes = path.join(folder, 'file-times.json')

/** The streams of a command: standard output and error (shown at once or kept), and the times that its shell writes. */
const streams = { now: ['inherit', 'inherit', 'inherit', 'pipe'], atTheEnd: ['ignore', 'pipe', 'pipe', 'pipe'] }
/** CPU seconds by command. */
const cpuTimes = new Map()

/** `show: 'atTheEnd'` keeps the output of a command that runs in parallel until it has finished. */
function run(command, args, { show = 'now', environment = {} } = {}) {
  const title = `\n> ${[command, ...args].join(' ')}`
  if (show === 'now') console.log(title)
  return new Promise((resolve) => {
    const shell = spawn('sh', underTimes(path.join(root, 'node_modules', '.bin', command), args), {
      cwd: root,
      stdio: streams[show],
      env: { ...process.env, ...environment },
    })
    const [, stdout, stderr, times] = shell.stdio.map((stream) => {
      const texts = []
      stream?.setEncoding('utf8').on('data', (text) => texts.push(text))
      return texts
    })
    shell
      .once('close', (code) => {
        if (show === 'atTheEnd') console.log(`${title}\n${[...stdout, ...stderr].join('')}`.trimEnd())
        cpuTimes.set(command, (cpuTimes.get(command) ?? 0) + cpuSeconds(times.join('')))
        resolve(code === 0)
      })
      .once('error', () => resolve(false))
  })
}

const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`, '--reporter=./scripts/file-times-reporter.mjs']
// One thread for each check (type-aware lint is written in Go, too): several threads check shared types several times, and take
// more CPU time. The tests take much longer than any check.
// Collect garbage less often, which takes a quarter of the time of a type check.
const inParallel = { show: 'atTheEnd', environment: { GOMAXPROCS: '1', GOGC: '400' } }
/** Checks incrementally: unchanged code takes 4 CPU seconds instead of 27. */
const checkTypes = (project) => {
  const buildInfo = path.join('node_modules/.cache/types', project.replaceAll('/', '-').replace('.json', '.tsbuildinfo'))
  return run('tsc', ['-p', project, '--incremental', '--tsBuildInfoFile', buildInfo, '--singleThreaded'], inParallel)
}
// The checks run in parallel with the tests, which often wait for processes and a browser.
const [testsPassed, ...checks] = await Promise.all([
  run('vitest', ['run', ...reporters, ...process.argv.slice(2)], { environment: { QUERYPOST_FILE_TIMES: fileTimes } }),
  checkTypes('tsconfig.json'),
  checkTypes('apps/web/tsconfig.json'),
  checkTypes('test/e2e/tsconfig.json'),
  run('oxlint', ['--type-aware', '--quiet', '--threads=1'], inParallel),
  run('node', ['scripts/check-prose.mjs'], inParallel),
])

let passed = checks.filter(Boolean).length
let failed = checks.length - passed
try {
  const { numPassedTests, numFailedTests, numFailedTestSuites, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'))
  passed += numPassedTests
  failed += numFailedTests
  // A file that fails to load has no failed tests, but counts as a failure. So do skipped tests.
  if (!testsPassed && numFailedTests === 0) failed += Math.max(1, numFailedTestSuites)
  failed += numPendingTests
  console.log(`\nSlowest files (wall-clock time):\n${slowest(JSON.parse(readFileSync(fileTimes, 'utf8')), 20).join('\n')}`)
} catch {
  failed += 1
}
rmSync(folder, { recursive: true, force: true })
console.log(`\n${describeCpu(cpuTimes)}`)
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
