import path from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/** Prints how many tests passed for each engine, after all others of the run. */
export const engineCounts: Reporter = {
  onTestRunEnd(modules) {
    const counts = new Map<string, { passed: number; others: number }>()
    for (const module of modules) {
      const count = counts.get(subjectOf(module)) ?? { passed: 0, others: 0 }
      for (const test of module.children.allTests()) count[test.result().state === 'passed' ? 'passed' : 'others']++
      counts.set(subjectOf(module), count)
    }
    const lines = [...counts.keys()].toSorted().map((subject) => {
      const { passed, others } = counts.get(subject)!
      return `  ${subject.padEnd(widest(counts.keys()))}  ${passed}${others > 0 ? `, and ${others} did not` : ''}`
    })
    process.stdout.write(`${['Tests passed:', ...lines].join('\n')}\n`)
  },
}

const sources = 'apps/server/src/engines/'

/** The engine's folder, or the file of a test that is not about one engine's sources. */
function subjectOf({ relativeModuleId }: TestModule): string {
  const [folder, ...below] = relativeModuleId.replace(sources, '').split('/')
  if (!relativeModuleId.startsWith(sources)) return path.basename(relativeModuleId)
  return below.length > 0 ? folder! : 'shared'
}

const widest = (texts: Iterable<string>) => Math.max(...[...texts].map((text) => text.length))
