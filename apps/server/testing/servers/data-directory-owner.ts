/**
 * A process that locks a data directory and keeps it until it is killed. It prints `owner` once it has the lock, or the error.
 * Arguments: the folder, and the process id to record.
 */
import { lockDataDirectory } from '../../src/settings/data-directory.ts'

const [, , folder, processId] = process.argv
try {
  await lockDataDirectory(folder!, Number(processId))
  process.stdout.write('owner\n')
  // Keep it until this process is killed or the test that started it is gone.
  process.stdin.resume()
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`)
}
