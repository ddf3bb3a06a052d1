/**
 * A process that takes a data directory and keeps it until it is killed. It says `owner` once it has it, or why not.
 * Called with the folder, and the process id to record.
 */
import { lockDataDirectory } from '../../src/settings/data-directory.ts'

const [, , folder, processId] = process.argv
try {
  await lockDataDirectory(folder!, Number(processId))
  process.stdout.write('owner\n')
  // Kept until it is killed, or until the test that started it is gone.
  process.stdin.resume()
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`)
}
