import path from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/** Prints how many tests passed for each engine, at the end of the run. */
export const engineCounts: Reporter = {
  onTestRunEnd(modules) {
    const subjects = new Set(modules.map(subjectOf))
    const width = Math.max(...[...subjects].map(({ length }) => length))
    const lines = [...subjects].map((subject) => {
      const tests = modules.filter((module) => subjectOf(module) === subject).flatMap(({ children }) => Array.from(children.allTests()))
      const passed = tests.filter((test) => test.result().state === 'passed').length
      return `  ${subject.padEnd(width)}  ${passed} of ${tests.length}\n`
    })
    process.stdout.write(`Tests passed:\n${lines.toSorted((a, b) => a.localeCompare(b)).join('')}`)
  },
}

const sources = 'apps/server/src/engines/'

/** The engine's folder, or the file of a test that is not about one engine's sources. */
function subjectOf({ relativeModuleId }: TestModule): string {
  if (!relativeModuleId.startsWith(sources)) return path.basename(relativeModuleId)
  const [folder, ...below] = relativeModuleId.slice(sources.length).split('/')
  return below.length > 0 ? folder! : 'shared'
}
