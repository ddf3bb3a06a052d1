import { writeFileSync } from 'node:fs'

/** A Vitest reporter for the time of each file including hooks, which the JSON report leaves out. */
export default class FileTimesReporter {
  onTestRunEnd(modules) {
    const files = modules.map((module) => {
      const { setupDuration, collectDuration, duration } = module.diagnostic()
      return { file: module.relativeModuleId, seconds: (setupDuration + collectDuration + duration) / 1000 }
    })
    writeFileSync(process.env.QUERYPOST_FILE_TIMES, JSON.stringify(files))
  }
}
