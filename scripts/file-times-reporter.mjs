import { writeFileSync } from 'node:fs'

/** For Vitest: how long each file took with its hooks, which the JSON report leaves out. */
export default class FileTimesReporter {
  onTestRunEnd(modules) {
    const files = modules.map((module) => {
      const { setupDuration, collectDuration, duration } = module.diagnostic()
      return { file: module.relativeModuleId, seconds: (setupDuration + collectDuration + duration) / 1000 }
    })
    writeFileSync(process.env.QUERYPOST_FILE_TIMES, JSON.stringify(files))
  }
}
