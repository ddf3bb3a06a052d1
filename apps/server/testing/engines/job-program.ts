/** Does jobs for tests of the processes that do them. Each writes the process's id into its folder, then acts as it says. */
import { writeFileSync } from 'node:fs'
import { doJobs } from '../../src/engines/duckdb/jobs/do-jobs.ts'

export interface TestJob {
  folder: string
  act: 'succeed' | 'fail' | 'hang' | 'die' | 'grow'
}

const held: Buffer[] = []

await doJobs(async ({ folder, act }: TestJob) => {
  writeFileSync(`${folder}/pid`, String(process.pid))
  if (act === 'fail') throw new Error('The job has failed.')
  if (act === 'hang') await new Promise(() => {})
  if (act === 'grow') held.push(Buffer.alloc(256 * 1024 * 1024, 1))
  if (act === 'die') {
    writeFileSync(process.stderr.fd, 'Out of memory.')
    process.exit(1)
  }
})
