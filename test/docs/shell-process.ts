import { execFile } from 'node:child_process'
import type { ShellOutcome, ShellTask } from './run-shell.ts'

/** Runs the commands it receives, in the given environment and no other. */
process.on('message', ({ code, environment }: ShellTask) => {
  execFile('sh', ['-eu', '-c', code], { env: environment }, (error, output, errors) => {
    answer(error ? { output, error: `${error.message}\n${output}${errors}` } : { output })
  })
})

function answer(outcome: ShellOutcome): void {
  process.send!(outcome)
}
