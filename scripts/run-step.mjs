// A slow step of the setup, for the person who waits: one line with the time it took. The output of its program is shown only when it
// fails, or when it wrote warnings.
import { spawnSync } from 'node:child_process'

/** True when the program succeeded. `program` and `args` as in `spawnSync`; `isOptional` for a step that may fail. */
export function runStep(title, program, args, { isOptional = false, ...options } = {}) {
  process.stdout.write(`${title}… `)
  const startMs = performance.now()
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const seconds = `${((performance.now() - startMs) / 1000).toFixed(1)} s`
  const isDone = status === 0
  process.stdout.write(isDone ? `${seconds}\n` : `failed after ${seconds}\n`)
  if (stderr?.trim() || !isDone) process.stderr.write(`${[!isDone && stdout, stderr, error?.message].filter(Boolean).join('\n').trim()}\n`)
  if (!isDone && !isOptional) process.exit(1)
  return isDone
}
