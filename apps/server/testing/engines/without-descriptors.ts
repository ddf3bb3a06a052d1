/** Opens files until no descriptor is left, then tries everything that starts a process. Prints how each attempt ended. */
import { closeSync, openSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { importFile } from '../../src/engines/duckdb/import/import-file.ts'
import { makeJobProcesses } from '../../src/engines/duckdb/jobs/job-processes.ts'
import { startProcess } from '../../src/engines/duckdb/process.ts'
import { systemClock } from '../../src/ports/clock.ts'
import { silentLog } from '../silent-log.ts'

const [folder] = process.argv.slice(2)
const temporaryDirectory = folder!
const never = new AbortController().signal
const jobs = makeJobProcesses({ file: 'none.ts', processMemoryLimitMb: 1024, failure: 'The job could not be done', clock: systemClock })
const attempts = {
  statement: () =>
    startProcess({ file: 'none.duckdb', temporaryDirectory, memoryLimitMb: 64, processMemoryLimitMb: 1024, temporaryLimitMb: 64, threads: 1, log: silentLog }),
  job: () => jobs.run({ folder: temporaryDirectory }, never),
  import: () =>
    importFile({ temporaryDirectory, log: silentLog }, { target: `${folder}/none.duckdb`, limits: { memoryMb: 64, fileMb: 64 } }, never),
}

const files: number[] = []
try {
  for (;;) files.push(openSync('/dev/null', 'r'))
} catch {
  // No descriptor is left.
}
const endings: Record<string, string> = {}
for (const [name, attempt] of Object.entries(attempts)) {
  endings[name] = await attempt().then(
    () => 'succeeded',
    (error: Error) => error.message,
  )
}
// Errors that nobody listens to would have ended this process by now.
await new Promise((resolve) => setImmediate(resolve))
closeSync(files[0]!)
process.stdout.write(JSON.stringify({ endings, left: await readdir(temporaryDirectory) }))
